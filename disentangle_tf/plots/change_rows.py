"""Images, how they were changed, and the results, as rows of one picture."""

import numpy as np
from numpy import typing as npt


def change_rows(
  images: npt.ArrayLike, changed: npt.ArrayLike, epsilon: float
) -> np.ndarray:
  """Rows of originals, changes and changed images: figure 4 of Zietlow et al. 2021.

  Args:
    images: [N, height, width, channels] in [0, 1].
    changed: the same images after the change.
    epsilon: the largest change of a pixel, drawn as black or white. Unchanged pixels
      are grey.

  Returns:
    [3, N, height, width, channels] in [0, 1], for `image_grid`.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> images = np.full([1, 1, 2, 1], 0.5)
    >>> changed = images + [[[[0.1], [0.0]]]]
    >>> plots.change_rows(images, changed, 0.1)[:, 0, 0, :, 0].round(2)
    array([[0.5, 0.5],
           [1. , 0.5],
           [0.6, 0.5]])
  """
  images, changed = np.asarray(images), np.asarray(changed)
  change = np.clip(0.5 + (changed - images) / (2 * epsilon), 0.0, 1.0)
  return np.stack([images, change, changed])
