"""Priors of every kind, of three latents."""

import tensorflow_probability as tfp

from disentangle_tf import priors

tfd = tfp.distributions

PRIORS = {  # made when asked for: what is learned belongs to one model
  "isotropic": priors.IsotropicNormal,
  "anisotropic": lambda: priors.AnisotropicNormal([3.0, 2.0, 1.0]),
  "learned": lambda: priors.AnisotropicNormal([3.0, 2.0, 1.0], learned=True),
  "student_t": lambda: priors.StudentT(3),
  "mixture": lambda: priors.NormalMixture([[0, 0, 1], [1, 0, 0]], variance=0.3),
  "sparse": lambda: priors.SparseMixture(0.7, off_scale=0.2),
  "laplace": lambda: priors.TfpPrior(tfd.Laplace(0.0, 1.0)),
  "correlated": lambda: priors.TfpPrior(
    tfd.MultivariateNormalTriL(
      [0.0, 0.0, 0.0], [[1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.0, 0.2, 2.0]]
    )
  ),
  "independent": lambda: priors.TfpPrior(
    tfd.Independent(tfd.Normal([0.0] * 3, 1.0), 1)
  ),
}
DRAWN_OTHERWISE_BY_XLA = {"correlated", "independent"}
