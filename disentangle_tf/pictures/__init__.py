"""What a model or a data set looks like."""
