"""Parts of a VAE's reconstruction error (Zietlow et al.)."""

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.contract import lower_is_better, neither_is_better


@lower_is_better("sampled_error", "deterministic_error", "stochastic_error")
@neither_is_better("curvature_error")
def reconstruction_parts(
  images: np.ndarray, decoded_means: np.ndarray, decoded_samples: np.ndarray
) -> dict[str, float]:
  """Squared error of sampled codes, split into that of the means, noise and curvature.

  |Dec(z) - x|^2 = |Dec(mu) - x|^2 + |Dec(z) - Dec(mu)|^2 + 2 <Dec(z) - Dec(mu), Dec(mu)
  - x>. The mean of the last part is 0 for a linear decoder.

  Args:
    images: `[points, ...]`, x.
    decoded_means: `[points, ...]`, Dec(mu), decoded from the posteriors' means.
    decoded_samples: `[samples, points, ...]`, Dec(z), decoded from codes drawn from the
      posteriors.

  Returns:
    Means over images of squares summed over pixels:
    "sampled_error": E |Dec(z) - x|^2, the sum of the other three; 0 or more, lower is
      better.
    "deterministic_error": |Dec(mu) - x|^2, likewise.
    "stochastic_error": E |Dec(z) - Dec(mu)|^2, likewise; 0 for a deterministic encoder.
    "curvature_error": 2 <E Dec(z) - Dec(mu), Dec(mu) - x>, of either sign; neither is
      better.

  Raises:
    UserError: if the shapes do not match.

  Needs no labels. Usually 500 points. Cost: O(samples * points * pixels).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> images, means = np.zeros((1, 2)), np.array([[1.0, 0.0]])
    >>> samples = np.array([[[1.0, 2.0]], [[1.0, -2.0]]])  # two samples, one image
    >>> metrics.reconstruction_parts(images, means, samples)
    {'sampled_error': 5.0, 'deterministic_error': 1.0, 'stochastic_error': 4.0,
    'curvature_error': 0.0}

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", equation 5, which has the first two.
  """
  images, means, samples = map(np.asarray, (images, decoded_means, decoded_samples))
  if (
    images.shape != means.shape or samples.shape[1:] != means.shape or not samples.size
  ):
    raise UserError(
      f"images {images.shape} and decoded_means {means.shape} must have the same "
      f"shape, and decoded_samples {samples.shape} that shape for each sample"
    )
  rest = _flat(means) - _flat(images)
  stochastic, curvature = [], []
  for sample in samples:
    moved = _flat(sample) - _flat(means)
    stochastic.append(_mean_product(moved, moved))
    curvature.append(2 * _mean_product(moved, rest))
  parts = {
    "deterministic_error": _mean_product(rest, rest),
    "stochastic_error": float(np.mean(stochastic)),
    "curvature_error": float(np.mean(curvature)),
  }
  return {"sampled_error": sum(parts.values()), **parts}


def _flat(images: np.ndarray) -> np.ndarray:
  return images.reshape(len(images), -1).astype(np.float64)


def _mean_product(first: np.ndarray, second: np.ndarray) -> float:
  """Mean over images of their scalar products."""
  return float(np.einsum("np,np->n", first, second).mean())
