"""Scores of (codes, factors): NumPy, SciPy and scikit-learn only.

Codes are [points, latents], factors are [points, factors] integers.
"""

from disentangle_tf.metrics.dci import dci
from disentangle_tf.metrics.mig import mig

__all__ = ["dci", "mig"]
