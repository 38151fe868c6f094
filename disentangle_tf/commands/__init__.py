"""The code behind bin/: flags, gin, one call.

It lives in the package so that the installed commands and `python bin/train.py` are the
same code. gin is known here and nowhere else. What needs TensorFlow is imported inside
the commands, after `quiet_start`, so that a mistyped flag is answered at once.
"""
