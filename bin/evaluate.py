"""See disentangle_tf/commands/evaluate.py."""

from disentangle_tf.commands.evaluate import main

if __name__ == "__main__":
  main()
