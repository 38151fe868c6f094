"""Labelled images for semi-supervised training, and labellers."""
