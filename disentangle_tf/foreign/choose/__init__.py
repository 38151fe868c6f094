"""Decides how a model is called: which functions, and how images go in and come out.

`choose_interface` asks the other `choose_*` in turn and gives the `Interface`; what the
user forces is a `Reading`.

Nothing is imported here: the child confines itself before it loads anything large.
"""
