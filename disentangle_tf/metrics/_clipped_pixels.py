"""Clipped pixels: the share of decoded pixels that no longer move with the latents."""

import numpy as np

from disentangle_tf.metrics.parts.contract import lower_is_better


@lower_is_better("clipped_pixels")
def clipped_pixels(decoded_means: np.ndarray, may_clip: bool) -> dict[str, float]:
  """Share of decoded pixels that are exactly 0 or 1, for a model that may clip.

  A clipped pixel does not move with the latents. Scores from the decoder's Jacobian or
  from decoded samples (`reconstruction_parts`, `posterior_law`, `misalignment`,
  `distance_to_orthogonality`) then differ from those of the model as it was trained.

  Args:
    decoded_means: `[points, ...]` images decoded from the posteriors' means.
    may_clip: whether the model may have clipped them. False for a model that gives the
      means of its pixels, such as an export whose manifest names the loss.

  Returns:
    `{"clipped_pixels": float}` in [0, 1], lower is better; 0 if `may_clip` is False. A
    sigmoid that saturates in float32 counts as clipped.

  Needs no labels. Usually 500 points. Cost: O(points * pixels).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> decoded = np.array([[0.0, 0.5], [0.25, 1.0]])
    >>> metrics.clipped_pixels(decoded, may_clip=True)
    {'clipped_pixels': 0.5}
    >>> metrics.clipped_pixels(decoded, may_clip=False)
    {'clipped_pixels': 0.0}
  """
  if not may_clip:
    return {"clipped_pixels": 0.0}
  pixels = np.asarray(decoded_means)
  return {"clipped_pixels": float(np.mean((pixels == 0) | (pixels == 1)))}
