"""Batches of images as a function of the training step: `Batches`."""

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from disentangle_tf.data.fetched_data import FetchedData
from disentangle_tf.data.ground_truth_data import GroundTruthData
from disentangle_tf.data.labels import LabelledSet
from disentangle_tf.data.sampling.samplers import draw_single
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed


class Batches:
  """Makes the batch of any training step.

  The factors of a batch depend on the seed and the step only. So a batch does not
  depend on the number of replicas, and a resumed run needs only the step.

  Args:
    data: a `GroundTruthData`.
    batch_size: observations (or pairs, or triplets) per step over all replicas.
    seed: the seed of the run, an integer.
    draw: a sampler, (space, batch_size, seed) -> factors or a tuple of them, such as
      `draw_single` or `draw_pairs`.
    label_of: a function of the drawn factors, such as `changed_factors` for pairs. The
      batch becomes a tuple that ends with its result, [batch_size, ...].
    labelled_set: a `LabelledSet` of `data`. The batch becomes (batch, (images, labels))
      with `batch_size` labelled images.
    num_replicas: the number of replicas that share each batch.

  Raises:
    UserError: `batch_size` is not a multiple of `num_replicas`.

  Example:
    >>> from disentangle_tf import data
    >>> batches = data.Batches(data.Spot(), batch_size=8)
    >>> batches.make(step=3).shape
    TensorShape([8, 16, 16, 1])
    >>> for images in batches.dataset(0, 2):  # for `model.fit`
    ...   print(images.shape)
    (8, 16, 16, 1)
    (8, 16, 16, 1)

    >>> pairs = data.Batches(data.Spot(), batch_size=8, draw=data.draw_pairs)
    >>> first, second = pairs.make(step=3)
    >>> second.shape
    TensorShape([8, 16, 16, 1])
  """

  def __init__(
    self,
    data: GroundTruthData,
    *,
    batch_size: int,
    seed: int = 0,
    draw: Callable = draw_single,
    label_of: Callable | None = None,
    labelled_set: LabelledSet | None = None,
    num_replicas: int = 1,
  ) -> None:
    if batch_size < 1 or batch_size % num_replicas:
      raise UserError(
        f"batch_size {batch_size} cannot be split over {num_replicas} replicas: "
        f"choose a multiple of {num_replicas}"
      )
    if label_of is not None and not callable(label_of):
      raise UserError(f"label_of is {label_of!r}: it must be a function of the factors")
    if labelled_set is not None and not hasattr(labelled_set, "make"):
      raise UserError(
        f"labelled_set is {labelled_set!r}: it must be a data.LabelledSet"
      )
    self.data = data
    self.batch_size = batch_size
    self.seed = seed
    self.draw = draw
    self.label_of = label_of
    self.labelled_set = labelled_set
    self.num_replicas = num_replicas
    self._fetched_data = (
      data if isinstance(data, FetchedData) and data.fetches else None
    )
    self._drawn_like: Any = None  # the structure of a batch, known after a `fetch`

  def make(
    self, step: int | tf.Tensor, replica: int | tf.Tensor = 0
  ) -> Any:  # depends on the sampler
    """Make the batch of one replica at one step.

    Args:
      step: training step, an integer or an integer tensor.
      replica: number of the replica.

    Returns:
      Images [batch_size / num_replicas, H, W, C], or a tuple of them for a sampler of
      pairs or triplets. `label_of` and `labelled_set` add to it.
    """
    return self.to_batch(self.fetch(step, replica))

  def fetch(
    self, step: int | tf.Tensor, replica: int | tf.Tensor = 0
  ) -> dict[str, Any]:
    """Do the host's part of `make`; the arguments are the same.

    Returns:
      {"images": for each part of the sample, bytes or the like of a set that fetches
      them (`FetchedData`), else images}, with "label" and "labelled" if the batch has
      them.
    """
    seed = stream_seed(self.seed, "factors", step)
    factors = self.draw(self.data.factors, self.batch_size, seed)
    drawn = tf.nest.flatten(factors)
    self._drawn_like = tf.nest.map_structure(lambda _: None, factors)
    fetched: dict[str, Any] = {
      "images": tuple(self._fetch(*part, step, replica) for part in enumerate(drawn))
    }
    if self.label_of is not None:
      fetched["label"] = self._share(self.label_of(*drawn), replica)
    if self.labelled_set is not None:
      fetched["labelled"] = self.labelled_set.make(
        self.batch_size,
        stream_seed(self.seed, "labelled", step),
        share_of=lambda drawn: self._share(drawn, replica),
      )
    return fetched

  def to_batch(self, fetched: dict[str, Any]) -> Any:
    """Do the device's part of `make`: the batch, from the result of `fetch`."""
    images = list(fetched["images"])
    if self._fetched_data is not None:
      images = [self._fetched_data.to_images(each) for each in images]
    batch = tf.nest.pack_sequence_as(self._drawn_like, images)
    if "label" in fetched:
      batch = (*images, fetched["label"])
    return (batch, fetched["labelled"]) if "labelled" in fetched else batch

  def dataset(
    self,
    first_step: int,
    last_step: int,
    replicas: range | None = None,
    *,
    fetched: bool = False,
  ) -> tf.data.Dataset:
    """Make a tf.data pipeline of the steps [first_step, last_step).

    It makes the batches in parallel and in advance.

    Args:
      first_step: the first step.
      last_step: the step after the last one.
      replicas: range of the replicas to serve, all by default. The pipeline has one
        element per step and replica, in the order of the replicas.
      fetched: whether elements are those of `fetch`, for `to_batch` on a device.
    """
    element = self.fetch if fetched else self.make
    served = range(self.num_replicas) if replicas is None else replicas
    count = len(served)
    return (
      tf.data.Dataset.range(first_step * count, last_step * count)
      .map(
        lambda i: element(i // count, served.start + tf.cast(i % count, tf.int32)),
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=True,
      )
      .prefetch(tf.data.AUTOTUNE)
    )

  def _fetch(
    self,
    place: int,
    factors: tf.Tensor,
    step: int | tf.Tensor,
    replica: int | tf.Tensor,
  ) -> Any:
    seed = stream_seed(self.seed, f"observations_{place}", step, replica)
    data = self._fetched_data
    observe = self.data.observe if data is None else data.fetch
    return observe(self._share(factors, replica), seed)

  def _share(self, values: tf.Tensor, replica: int | tf.Tensor) -> tf.Tensor:
    return tf.reshape(values, [self.num_replicas, -1, *values.shape[1:]])[replica]
