"""Models that others made: looking at them, and running them in a child.

Nothing is imported here: the child confines itself before it loads anything large.
"""
