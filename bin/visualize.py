"""See disentangle_tf/commands/visualize.py."""

from disentangle_tf.commands.visualize import main

if __name__ == "__main__":
  main()
