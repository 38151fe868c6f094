"""What each latent does to the image."""

import numpy as np


def latent_traversal(decode, code, *, num_values=9, limit=2.0):
  """Images with one latent at a time moved from -limit to limit.

  Args:
    decode: codes [N, latents] -> images [N, height, width, channels].
    code: [latents], where the other latents stay.
    num_values, limit: how many values a latent takes, and how far out; the prior's
      standard deviation is 1.

  Returns:
    [latents, num_values, height, width, channels].
  """
  code = np.asarray(code, np.float32)
  latents = len(code)
  codes = np.tile(code, (latents, num_values, 1))
  for latent in range(latents):
    codes[latent, :, latent] = np.linspace(-limit, limit, num_values)
  images = np.asarray(decode(codes.reshape(-1, latents)))
  return images.reshape(latents, num_values, *images.shape[1:])
