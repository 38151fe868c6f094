"""The loss of Ada-GVAE and Ada-ML-VAE against its formula in NumPy."""

import numpy as np
from model_checks import PAIR, check_terms, make_spread, pair_terms, posterior_of


def check_ada_terms(cls, common, *, reduction, symmetric):
  """All terms of a pair of images.

  Args:
    cls: `models.AdaGVAE` or a subclass.
    common: function of two (means, scales) -> those of the posterior they share.
    reduction, symmetric: of the model.
  """
  model = make_spread(
    cls, beta=2.0, ratio=0.4, symmetric=symmetric, reduction=reduction
  )
  first, second = (posterior_of(model, images) for images in PAIR)
  difference = _kl(first, second)
  if symmetric:
    difference = 0.5 * (difference + _kl(second, first))
  least, most = difference.min(axis=1), difference.max(axis=1)
  shared = difference < (least + 0.4 * (most - least))[:, None]
  assert 0 < shared.mean() < 1
  both = common(first, second)
  posteriors = [
    tuple(np.where(shared, *parts) for parts in zip(both, own, strict=True))
    for own in (first, second)
  ]
  check_terms(model, pair_terms(model, posteriors, beta=2.0), PAIR)


def _kl(one, other):
  """Of two (means, scales): [batch, latents]."""
  (m, s), (n, t) = one, other
  return np.log(t / s) + (s**2 + (m - n) ** 2) / (2 * t**2) - 0.5
