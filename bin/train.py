"""See disentangle_tf/commands/train.py."""

from disentangle_tf.commands.train import main

if __name__ == "__main__":
  main()
