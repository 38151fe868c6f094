"""Singular values of a set's images: how much they vary in each principal direction."""

import numpy as np

from disentangle_tf.argument_checks import check_count, check_instance, check_seed
from disentangle_tf.data.ground_truth_data import GroundTruthData
from disentangle_tf.errors import UserError

_SMALLEST = 1e-6  # of the largest; below is rounding


def singular_values(
  data: GroundTruthData, count: int, *, num_images: int = 2048, seed: int = 0
) -> list[float]:
  """The `count` largest singular values of the images, largest first: list of floats.

  Images are standardised, centred and flattened, without their labels. For a
  configuration to hand to `priors.AnisotropicNormal` (Mathieu et al. 2019, appendix B).
  For 64x64x3 it takes some seconds.

  Args:
    data: a `GroundTruthData`.
    count: how many, for a prior the number of latents.
    num_images: how many images are drawn, without replacement; of a smaller set, all.
    seed: of the draw.
  """
  check_count("singular_values", count=count, num_images=num_images)
  check_seed("singular_values", seed=seed)
  check_instance("singular_values", GroundTruthData, "@data.XYSquares()", data=data)
  images = _sample(data, num_images, np.random.default_rng(seed))
  _, std = np.array(data.standardisation())
  if not np.all(std > 0):
    raise UserError(f"{data.name} cannot be standardised: its std is {std}")
  rows = (images / std).reshape(len(images), -1)
  rows -= rows.mean(axis=0)
  # Several times faster than a singular value decomposition of the rows, and as exact.
  small = rows @ rows.T if len(rows) < rows.shape[1] else rows.T @ rows
  values = np.sqrt(np.maximum(np.linalg.eigvalsh(small)[::-1], 0))
  directions = int(np.sum(values > _SMALLEST * values[0]))
  if count > directions:
    raise UserError(
      f"singular_values.count is {count}: {len(images)} images of {data.name} vary in "
      f"{directions} directions only"
    )
  return values[:count].tolist()


def _sample(
  data: GroundTruthData, num_images: int, rng: np.random.Generator
) -> np.ndarray:
  if data.one_image_per_point:
    index = rng.choice(len(data), min(num_images, len(data)), replace=False)
    points = data.factors.to_factors(index)
  else:  # a point may be seen in many ways
    points = data.factors.draw(num_images, rng)
  return data.observe(points).numpy()
