"""The process in which strangers' files are read and strangers' models run.

Nothing is imported here: the child confines itself before it loads anything large.
"""
