"""See disentangle_tf/commands/manipulate.py."""

from disentangle_tf.commands.manipulate import main

if __name__ == "__main__":
  main()
