"""The data sets, one per file."""
