"""The code behind `bin/`: flags, gin, and one call.

It is part of the package, so that installed commands and `python bin/train.py` run the
same code. Only this package imports gin. TensorFlow is imported inside the commands,
after `start_tensorflow`, so that a misspelt flag is reported at once.
"""
