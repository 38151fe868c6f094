"""Share of pixels that a decoder clips, so that its Jacobian does not show them."""

import numpy as np

from disentangle_tf.metrics.parts.directions import lower_is_better


@lower_is_better("clipped_pixels")
def clipped_pixels(decoded_means: np.ndarray, may_clip: bool) -> dict[str, float]:
  """Share of decoded pixels that are exactly 0 or 1, of a model that may clip.

  A clipped pixel does not move with the latents. Then what derives from the decoder's
  Jacobian or from decoded samples (`reconstruction_parts`, `posterior_law`,
  `misalignment`, `distance_to_orthogonality`) is not that of the model as trained.

  Args:
    decoded_means: [points, ...], decoded from the posteriors' means.
    may_clip: whether these may be clipped. They are not if the model tells the means of
      its pixels, as an export does whose manifest tells the loss.

  Returns:
    {"clipped_pixels": from 0 to 1, lower is better; 0 where nothing is clipped}. A
    sigmoid that is saturated in float32 counts as clipped.

  Needs no labels. Usually 500 points. Cost: O(points * pixels).
  """
  if not may_clip:
    return {"clipped_pixels": 0.0}
  pixels = np.asarray(decoded_means)
  return {"clipped_pixels": float(np.mean((pixels == 0) | (pixels == 1)))}
