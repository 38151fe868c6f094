"""Samplers of factors (single points, pairs, triplets, correlated), and batches."""
