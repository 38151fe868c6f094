"""Images, how they were changed, and what became of them, as rows."""

import numpy as np


def change_rows(images, changed, epsilon):
  """Original, change and sum: figure 4 of Zietlow et al. 2021.

  Args:
    images, changed: [N, height, width, channels] in [0, 1].
    epsilon: the largest change of a pixel, which shows as black or white; grey is none.

  Returns:
    [3, N, height, width, channels] in [0, 1], to be drawn by `image_grid`.
  """
  images, changed = np.asarray(images), np.asarray(changed)
  change = np.clip(0.5 + (changed - images) / (2 * epsilon), 0.0, 1.0)
  return np.stack([images, change, changed])
