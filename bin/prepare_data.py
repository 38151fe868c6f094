"""See disentangle_tf/commands/prepare_data.py."""

from disentangle_tf.commands.prepare_data import main

if __name__ == "__main__":
  main()
