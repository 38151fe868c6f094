"""Models that others made: look at them, choose how to call them, confine them.

Nothing is imported here: the child confines itself before it loads anything large.
"""
