"""Latent traversals, samples and reconstructions of a model."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from matplotlib import figure as mpl_figure
from numpy import typing as npt
from scipy import stats

from disentangle_tf import plots
from disentangle_tf.askable_model import AskableModel

_SHARE = 0.95  # of the probability that quantiles span


def latent_traversal(
  decode: Callable[[np.ndarray], npt.ArrayLike],
  code: npt.ArrayLike,
  *,
  latents: Sequence[int] | np.ndarray | None = None,
  num_values: int = 9,
  limit: float = 2.0,
  values: np.ndarray | None = None,
) -> np.ndarray:
  """Images with one latent at a time moved through its values.

  Args:
    decode: codes [N, latents] -> images [N, height, width, channels].
    code: [latents], the values of the other latents.
    latents: numbers of the latents to move, in the order of the rows; all by default.
    num_values: how many values each latent takes, from -limit to limit.
    limit: the largest value; the standard deviation of the prior is 1.
    values: [latents, num_values] to use instead, such as `traversal_values`.

  Returns:
    [latents to move, num_values, height, width, channels].

  Example:
    >>> from disentangle_tf import pictures
    >>> def decode(codes):
    ...   return codes[:, None, None, :]  # one pixel per image, one channel per latent
    >>> images = pictures.latent_traversal(decode, [7, 8], num_values=3)
    >>> images[0, :, 0, 0]
    array([[-2.,  8.],
           [ 0.,  8.],
           [ 2.,  8.]], dtype=float32)
  """
  code = np.asarray(code, np.float32)
  moved = range(len(code)) if latents is None else latents
  if values is None:
    values = np.tile(np.linspace(-limit, limit, num_values), (len(code), 1))
  codes = np.tile(code, (len(moved), values.shape[1], 1))
  for row, latent in enumerate(moved):
    codes[row, :, latent] = values[latent]
  images = np.asarray(decode(codes.reshape(-1, len(code))))
  return images.reshape(len(moved), values.shape[1], *images.shape[1:])


def traversal_values(
  kind: str, codes: npt.ArrayLike, num_values: int = 9
) -> np.ndarray:
  """Values to move each latent through.

  Args:
    kind: "prior" (quantiles of the standard normal, the middle 95 %), "fitted" (the
      same of a normal that is fitted to the codes) or "range" (evenly spaced from the
      smallest to the largest code).
    codes: [points, latents] of some images.
    num_values: how many values each latent takes.

  Returns:
    [latents, num_values].

  Example:
    >>> from disentangle_tf import pictures
    >>> codes = [[0.0, 1.0], [4.0, -1.0]]
    >>> pictures.traversal_values("range", codes, 3)
    array([[ 0.,  2.,  4.],
           [-1.,  0.,  1.]])
    >>> pictures.traversal_values("prior", codes, 3).round(2)
    array([[-1.96,  0.  ,  1.96],
           [-1.96,  0.  ,  1.96]])
  """
  codes = np.asarray(codes, np.float64)
  if kind == "range":
    return np.linspace(codes.min(axis=0), codes.max(axis=0), num_values, axis=1)
  edges = (1 - _SHARE) / 2
  quantiles = stats.norm.ppf(np.linspace(edges, 1 - edges, num_values))
  if kind == "prior":
    return np.tile(quantiles, (codes.shape[1], 1))
  return codes.mean(axis=0)[:, None] + codes.std(axis=0)[:, None] * quantiles


def latents_figure(
  decode: Callable[[np.ndarray], np.ndarray],
  codes: np.ndarray,
  order: Iterable[int],
  kind: str,
) -> mpl_figure.Figure:
  """Latent traversals, one row per latent, starting from the first code.

  Args:
    decode: codes [N, latents] -> images [N, height, width, channels].
    codes: [points, latents] of some images.
    order: numbers of the latents to move, one per row.
    kind: which values the latents take, see `traversal_values`.

  Returns:
    A matplotlib Figure.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import pictures
    >>> def decode(codes):
    ...   return np.zeros([len(codes), 4, 4, 1])
    >>> codes = np.array([[0.0, 0.0], [1.0, 2.0]])
    >>> figure = pictures.latents_figure(decode, codes, [1, 0], "range")
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['latent 1', 'latent 0']
  """
  values = traversal_values(kind, codes)
  images = latent_traversal(decode, codes[0], values=values, latents=list(order))
  return plots.traversals_figure(images, [f"latent {latent}" for latent in order])


def samples(
  model: AskableModel, rng: np.random.Generator, *, rows: int, columns: int
) -> np.ndarray:
  """Images that a model decodes from codes of the standard normal distribution.

  Args:
    model: an `AskableModel` that `can_decode`.
    rng: a `numpy.random.Generator`.
    rows: how many rows of images.
    columns: images per row.

  Returns:
    [rows, columns, height, width, channels].

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import pictures
    >>> class Grey:  # any model with these members
    ...   num_latents = 2
    ...   def decode(self, codes):
    ...     return np.full([len(codes), 4, 4, 1], 0.5)
    >>> pictures.samples(Grey(), np.random.default_rng(0), rows=2, columns=3).shape
    (2, 3, 4, 4, 1)
  """
  images = model.decode(rng.normal(size=(rows * columns, model.num_latents)))
  return images.reshape(rows, columns, *images.shape[1:])


def reconstructions(model: AskableModel, images: np.ndarray) -> np.ndarray:
  """Two rows: images, and below them their reconstructions.

  Args:
    model: an `AskableModel` that `can_reconstruct`.
    images: [N, height, width, channels] in [0, 1].

  Returns:
    [2, N, height, width, channels].

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import pictures
    >>> class Darker:  # any model with this method
    ...   def reconstruct(self, images):
    ...     return images / 2
    >>> pictures.reconstructions(Darker(), np.ones([3, 4, 4, 1]))[:, 0, 0, 0, 0]
    array([1. , 0.5])
  """
  return np.stack([images, model.reconstruct(images)])
