"""The codes of a whole data set."""

import numpy as np
import tqdm

from disentangle_tf.errors import UserError


class CodesTable:
  """Codes of every image of a finite set, in index order.

  Args:
    codes: [images, latents].
    space: the set's `FactorSpace`.

  Example:
    table = CodesTable.encode(model.encode, XYSquares())
    codes, factors = table.sample(10_000, rng)
  """

  def __init__(self, codes, space):
    if len(codes) != space.num_points:
      raise UserError(f"{len(codes)} codes for a set of {space.num_points} images")
    self.codes = codes
    self.space = space

  @classmethod
  def encode(cls, encode, data, *, batch_size=256):
    """Encodes the images of `data` with `encode`, each once."""
    batches = data.in_order(batch_size)
    with tqdm.tqdm(total=len(data), unit="image", desc="encoding", delay=2) as bar:
      parts = []
      for _, images in batches:
        parts.append(encode(images))
        bar.update(len(images))
    return cls(np.concatenate(parts), data.factors)

  def draw(self, factors):
    """Codes of the points `factors` [points, factors]."""
    return self.codes[self.space.to_index(factors)]

  def sample(self, num_points, rng):
    """(codes, factors) of points drawn uniformly; None takes every point once."""
    if num_points is None:
      return self.codes, self.space.to_factors(np.arange(len(self.codes)))
    factors = self.space.draw(num_points, rng)
    return self.draw(factors), factors
