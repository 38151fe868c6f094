"""How a decoder moves its output as each latent moves."""

import numpy as np


def decoder_jacobians(decode, codes, *, step=0.01):
  """Central differences of a decoder: [points, numbers of an observation, latents].

  Column j says where latent j pushes the observation; of a VAE they follow the local
  principal directions of the data (Zietlow et al. 2021).

  Args:
    decode: codes [N, latents] -> observations [N, ...].
    codes: [points, latents], where it is differentiated.
    step: half the difference of codes; an error of its square remains.
  """
  codes = np.asarray(codes, np.float32)
  columns = []
  for offset in np.float32(step) * np.eye(codes.shape[1], dtype=np.float32):
    ahead, behind = (np.asarray(decode(codes + way * offset)) for way in (1, -1))
    difference = ahead.astype(np.float64) - behind
    columns.append(difference.reshape(len(codes), -1) / (2 * step))
  return np.stack(columns, axis=2)
