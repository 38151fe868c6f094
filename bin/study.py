"""See disentangle_tf/commands/study.py."""

from disentangle_tf.commands.study import main

if __name__ == "__main__":
  main()
