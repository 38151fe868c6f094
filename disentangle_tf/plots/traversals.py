"""The figure of traversals: named rows of images."""

from collections.abc import Sequence

import numpy as np
from matplotlib import figure as mpl_figure

from disentangle_tf.plots.image_grid import image_grid


def traversals_figure(images: np.ndarray, names: Sequence[str]) -> mpl_figure.Figure:
  """A row of images for each factor: figures 2 and 5 of Michlo et al. 2023.

  Args:
    images: [factors, values, height, width, channels] in [0, 1].
    names: one for each factor.

  Returns:
    A matplotlib Figure.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> figure = plots.traversals_figure(np.zeros([2, 3, 8, 8, 1]), ["x", "y"])
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['x', 'y']
  """
  rows, columns, height, width, _ = images.shape
  padding = max(1, height // 32)
  picture = image_grid(images, padding=padding)
  scale = 0.55 / max(height, width)  # an image is about half an inch
  figure = mpl_figure.Figure(
    figsize=(scale * picture.shape[1] + 0.9, scale * picture.shape[0]),
    layout="constrained",
  )
  axis = figure.subplots()
  axis.imshow(picture, interpolation="nearest")
  axis.set_xticks([])
  places = [padding + (height + padding) * row + height / 2 for row in range(rows)]
  axis.set_yticks(places, names, fontsize=8)
  axis.tick_params(length=0)
  axis.spines[:].set_visible(False)
  return figure
