"""Images in rows and grids: pictures, changes, traversals."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib import figure as mpl_figure
from numpy import typing as npt

from disentangle_tf.plots.panel_grid import Key, PanelGrid


def to_rgb(images: npt.ArrayLike) -> np.ndarray:
  """Convert images of any number of channels to red, green and blue.

  One channel becomes grey; two become red and green; of more than three the first three
  are kept.

  Args:
    images: [..., channels].

  Returns:
    [..., 3].

  Example:
    >>> from disentangle_tf import plots
    >>> plots.to_rgb([0.5]), plots.to_rgb([0.5, 0.25])
    (array([0.5, 0.5, 0.5]), array([0.5 , 0.25, 0.  ]))
  """
  images = np.asarray(images)
  channels = images.shape[-1]
  if channels == 1:
    return np.repeat(images, 3, axis=-1)
  missing = np.zeros_like(images[..., : max(0, 3 - channels)])
  return np.concatenate([images[..., :3], missing], axis=-1)


def image_grid(
  images: npt.ArrayLike, *, scale: int = 1, padding: int = 1
) -> np.ndarray:
  """One picture of rows and columns of images, separated by white lines.

  Args:
    images: [rows, columns, height, width, channels] in [0, 1].
    scale: how many pixels wide and high each pixel becomes.
    padding: width of the lines in pixels.

  Returns:
    [height', width', 3] in [0, 1].

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> plots.image_grid(np.zeros([2, 3, 8, 8, 1]), scale=2).shape
    (35, 52, 3)
  """
  images = to_rgb(images).repeat(scale, axis=2).repeat(scale, axis=3)
  margin = [(0, 0), (0, 0), (padding, 0), (padding, 0), (0, 0)]
  images = np.pad(images, margin, constant_values=1.0)
  rows, columns, height, width, _ = images.shape
  picture = images.swapaxes(1, 2).reshape(rows * height, columns * width, 3)
  return np.pad(picture, [(0, padding), (0, padding), (0, 0)], constant_values=1.0)


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


def picture_grid_figure(
  panels: Mapping[Key, np.ndarray],
  *,
  x_labels: Mapping[Key, str] | None = None,
  y_labels: Mapping[Key, str] | None = None,
  caption: str = "",
  size: float = 1.9,
) -> mpl_figure.Figure:
  """Pictures side by side: figures 10 and 11 of Zietlow et al. 2021.

  Args:
    panels: {(row, column) or title: picture [height, width, 3] in [0, 1]}, see
      `PanelGrid`.
    x_labels: {key: what changes across the picture}.
    y_labels: {key: what changes upwards}.
    caption: a line or two below the figure.
    size: width of a picture in inches.

  Returns:
    A matplotlib Figure.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> panels = {"beta_vae": np.zeros([4, 4, 3])}
    >>> figure = plots.picture_grid_figure(panels, x_labels={"beta_vae": "latent 0"})
    >>> figure.axes[0].get_xlabel()
    'latent 0 →'
  """
  grid = PanelGrid(panels, size=(size, size + 0.3), caption=caption, legend_rows=0)
  for key, picture in panels.items():
    axis = grid.axes[key]
    axis.imshow(picture, interpolation="nearest")
    axis.set_xticks([])
    axis.set_yticks([])
    axis.spines[:].set_visible(False)
    if x_labels:
      axis.set_xlabel(f"{x_labels[key]} →", fontsize=7, parse_math=False)
    if y_labels:
      axis.set_ylabel(f"{y_labels[key]} →", fontsize=7, parse_math=False)
  return grid.figure
