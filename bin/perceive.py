"""See disentangle_tf/commands/perceive.py."""

from disentangle_tf.commands.perceive import main

if __name__ == "__main__":
  main()
