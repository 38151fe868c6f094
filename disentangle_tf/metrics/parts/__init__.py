"""Shared parts of metrics: points, bins, information, predictors, directions."""
