"""Detects the interface of a model: its functions, and the formats of images.

`choose_interface` calls the other `choose_*` in turn and gives the `Interface`. What
the user states is a `Reading`, which overrides what is detected.

Nothing is imported here: the child confines itself before it loads large libraries.
"""
