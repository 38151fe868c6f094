"""A user's own images, with the factors that are known of them."""

import numpy as np
import tensorflow as tf

from disentangle_tf.data.grid_index import grid_index
from disentangle_tf.data.ground_truth_data import GroundTruthData
from disentangle_tf.data.observation_seed import observation_seed
from disentangle_tf.data.partial_factor_space import PartialFactorSpace
from disentangle_tf.errors import UserError
from disentangle_tf.factor_space import FactorSpace
from disentangle_tf.random_streams import random_integers


class FactorTable(GroundTruthData):
  """Images in a table, each with a value of every factor.

  The factors need not form a whole grid: what is drawn exists. Where several images
  share all their factors, one of them is drawn at each observation, and the set is
  stochastic.

  Args:
    images: [images, height, width] or [images, height, width, channels], uint8 or float
      in [0, 1]; an array, or a memory map that is read as needed.
    factors: [images, factors], any values that can be sorted; they are numbered from 0.
    names: a name for each factor.

  Example:
    data = FactorTable.from_npz("mine.npz")  # with arrays images and factors
  """

  name = "table"

  def __init__(self, images, factors, *, names=None):
    self.images = _check_images(images)
    self.values, numbers = _number_values(_check_factors(factors, len(images)))
    self.names = tuple(names or (f"factor_{i}" for i in range(numbers.shape[1])))
    self.observation_shape = self.images.shape[1:]
    sizes = [len(values) for values in self.values]
    grid = FactorSpace(self.names, sizes)
    self._rows = np.argsort(grid.to_index(numbers), kind="stable")
    points, self._starts, self._counts = np.unique(
      grid.to_index(numbers[self._rows]), return_index=True, return_counts=True
    )
    whole = len(points) == grid.num_points
    self.factors = (
      grid if whole else PartialFactorSpace(self.names, sizes, grid.to_factors(points))
    )
    self.stochastic = bool((self._counts > 1).any())
    self.origin = {"from": "arrays"}

  @classmethod
  def from_npz(cls, path, *, images="images", factors="factors", names=None):
    """From the arrays of an npz file called `images` and `factors`."""
    try:
      with np.load(path, allow_pickle=False) as arrays:
        missing = {images, factors} - set(arrays.files)
        if missing:
          raise UserError(
            f"{path} has no array {sorted(missing)[0]!r}, it has "
            f"{', '.join(arrays.files)}: name the arrays with images= and factors="
          )
        table = cls(arrays[images], arrays[factors], names=names)
        table.origin = {
          "from": "npz",
          "path": str(path),
          "images": images,
          "factors": factors,
          "names": names,
        }
    except FileNotFoundError as error:
      raise UserError(f"there is no file {path}") from error
    except UserError:
      raise
    except Exception as error:  # np.load and zipfile raise many kinds
      raise UserError(f"{path} cannot be read as npz: {error}") from error
    return table

  @classmethod
  def from_tfds(cls, dataset, *, labels, image="image", split="train", data_dir=None):
    """From a TensorFlow data set, with the label keys that count as factors."""
    import tensorflow_datasets as tfds

    builder = tfds.builder(dataset, data_dir=data_dir)
    missing = [key for key in (image, *labels) if key not in builder.info.features]
    if missing:
      raise UserError(
        f"{dataset} has no {missing[0]!r}, it has {', '.join(builder.info.features)}"
      )
    builder.download_and_prepare()
    examples = list(tfds.as_numpy(builder.as_dataset(split=split)))
    factors = [[example[label] for label in labels] for example in examples]
    table = cls(np.stack([e[image] for e in examples]), factors, names=tuple(labels))
    table.origin = {"from": "tfds", "dataset": dataset, "split": split}
    return table

  def get_config(self):
    return self.origin

  @classmethod
  def from_config(cls, config):
    arguments = dict(config)
    source = arguments.pop("from", None)
    if source != "npz":  # a stranger's manifest must not start a download
      raise UserError(f"the set was made from {source}: name the data with --data")
    return cls.from_npz(**arguments)

  def observe(self, factors, seed=None):
    index = grid_index(self.factors, factors)
    place = tf.gather(tf.constant(self._starts), index)
    if self.stochastic:
      seed = observation_seed(factors) if seed is None else seed
      choices = tf.gather(tf.constant(self._counts), index)
      place += tf.cast(random_integers(tf.shape(index), seed, choices), tf.int64)
    images = tf.numpy_function(self._read, [place], tf.float32)
    images.set_shape([None, *self.observation_shape])
    return images

  def _read(self, place):
    images = self.images[self._rows[place]]
    if images.dtype == np.uint8:
      return images.astype(np.float32) / np.float32(255)
    return images.astype(np.float32)


def _check_images(images):
  images = images if isinstance(images, np.ndarray) else np.asarray(images)
  if images.ndim == 3:
    images = images[..., None]
  if images.ndim != 4 or not images.size:
    raise UserError(
      f"images of shape {images.shape}: [images, height, width, channels] is needed"
    )
  if images.dtype != np.uint8:
    if not np.issubdtype(images.dtype, np.floating):
      raise UserError(f"images are {images.dtype}: uint8 or float in [0, 1] is needed")
    low, high = images.min(), images.max()
    if not (low >= 0 and high <= 1):
      raise UserError(f"float images go from {low} to {high}: [0, 1] is needed")
  return images


def _check_factors(factors, count):
  factors = np.asarray(factors)
  if factors.ndim == 1:
    factors = factors[:, None]
  if factors.ndim != 2 or len(factors) != count or not factors.size:
    raise UserError(f"factors of shape {factors.shape} for {count} images")
  return factors


def _number_values(factors):
  """(the values of each factor, their numbers [images, factors])."""
  columns = [np.unique(column, return_inverse=True) for column in factors.T]
  values = tuple(values for values, _ in columns)
  return values, np.stack([numbers for _, numbers in columns], axis=1)
