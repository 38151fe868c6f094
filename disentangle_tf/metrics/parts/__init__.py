"""What several metrics share: points, bins, information, predictors, directions."""
