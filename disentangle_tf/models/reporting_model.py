"""`ReportingModel`: a Keras model that reports the terms of its own loss."""

import types
from collections.abc import Callable, Iterator
from typing import Any

import keras
import tensorflow as tf

from disentangle_tf.errors import UserError
from disentangle_tf.tensor_types import Batch, Terms


class ReportingModel(keras.Model):
  """A model whose `fit` and `evaluate` report the mean of every term of its loss.

  `train_step` and `test_step` return {term: its value for this batch} and pass the
  terms to `count`. Means are over the images of an epoch.
  """

  def __init__(self, **options: Any) -> None:
    super().__init__(**options)
    self._means = _TermMeans()

  def compile(
    self,
    optimizer: Any = "rmsprop",
    loss: Any = None,
    loss_weights: Any = None,
    metrics: Any = None,
    weighted_metrics: Any = None,
    **options: Any,
  ) -> None:
    """Set the optimiser, see `keras.Model.compile`; the model defines the loss.

    Args:
      optimizer: a Keras optimiser or its name.
      loss: must be None, as must loss_weights, metrics and weighted_metrics.
      loss_weights: must be None.
      metrics: must be None.
      weighted_metrics: must be None.
      options: as for `keras.Model.compile`.
    """
    why = "the model defines its loss and reports its terms"
    self._refuse("compile", why, loss=loss, loss_weights=loss_weights)
    self._refuse("compile", why, metrics=metrics, weighted_metrics=weighted_metrics)
    super().compile(optimizer, **options)

  def compile_from_config(self, config: dict) -> None:
    # Keras does not compile a loaded model whose class overrides `compile`.
    self.compile(**keras.saving.deserialize_keras_object(config))
    if self.optimizer is not None:
      self.optimizer.build(self.trainable_variables)

  def count(self, terms: Terms, batch: Batch) -> None:
    """Add the terms of a batch to the means that `fit` and `evaluate` report."""
    self._means.update(terms, batch)

  @property
  def metrics(self) -> list[keras.metrics.Mean]:
    """One `keras.metrics.Mean` per term, after `fit` or `evaluate` has begun."""
    return self._means.reported

  def reset_metrics(self) -> None:
    """Reset the means at the beginning of an epoch."""
    self._means.reset()

  def get_metrics_result(self) -> dict:
    """{term: its mean since the last reset}."""
    return {mean.name: mean.result() for mean in self._means.reported}

  def make_train_function(self, force: bool = False) -> Callable:
    """The function that `fit` calls."""
    if self.train_function is None or force:
      super().make_train_function(force)
      self.train_function = self._reporting(self.train_function, self.train_step)
    return self.train_function

  def make_test_function(self, force: bool = False) -> Callable:
    """The function that `evaluate` calls."""
    if self.test_function is None or force:
      super().make_test_function(force)
      self.test_function = self._reporting(self.test_function, self.test_step)
    return self.test_function

  def train_on_batch(
    self,
    x: Batch,
    y: None = None,
    sample_weight: None = None,
    class_weight: None = None,
    return_dict: bool = False,
  ) -> list | dict:
    """Train one step on the batch `x`; y and the weights must be None.

    Returns:
      The terms as a list with the loss first, or as a dictionary.
    """
    why = "x is the whole batch"
    self._refuse("train_on_batch", why, y=y, sample_weight=sample_weight)
    self._refuse("train_on_batch", why, class_weight=class_weight)
    terms = super().train_on_batch(x, return_dict=True)
    return terms if return_dict else _loss_first(terms)

  def test_on_batch(
    self,
    x: Batch,
    y: None = None,
    sample_weight: None = None,
    return_dict: bool = False,
  ) -> list | dict:
    """Compute the terms of the batch `x`; y and sample_weight must be None.

    Returns:
      The terms as a list with the loss first, or as a dictionary.
    """
    why = "x is the whole batch"
    self._refuse("test_on_batch", why, y=y, sample_weight=sample_weight)
    terms = super().test_on_batch(x, return_dict=True)
    return terms if return_dict else _loss_first(terms)

  def _reporting(self, function: Callable, step: Callable) -> Callable:
    """Wrap `function` so that the means of all terms that `step` returns exist.

    They are created before Keras traces the step, because several replicas cannot
    create variables within it.
    """
    names: list[str] = []

    def reporting(iterator: Iterator) -> Any:
      one_batch = isinstance(iterator, types.GeneratorType)  # of `train_on_batch`
      if not names and not one_batch:
        names.extend(_names_of_terms(step, iterator, self.distribute_strategy))
        with self.distribute_strategy.scope():
          self._means.make(names)
      self._means.names = names
      return function(iterator)

    return reporting

  def _refuse(self, method: str, why: str, **arguments: Any) -> None:
    for name, value in arguments.items():
      if value is not None:
        raise UserError(f"{type(self).__name__}.{method}: {why}: leave out {name}")


class _TermMeans:
  """One `keras.metrics.Mean` per term; a plain object, so checkpoints leave it out."""

  def __init__(self) -> None:
    self._means: dict[str, keras.metrics.Mean] = {}
    self.names: list[str] = []  # of those that are reported

  @property
  def reported(self) -> list[keras.metrics.Mean]:
    return [self._means[name] for name in self.names]

  def make(self, names: list[str]) -> None:
    for name in names:
      if name not in self._means:
        self._means[name] = keras.metrics.Mean(name)

  def update(self, terms: Terms, batch: Batch) -> None:
    size = tf.shape(tf.nest.flatten(batch)[0])[0]
    for name, value in terms.items():
      if name in self._means:
        self._means[name].update_state(value, sample_weight=size)

  def reset(self) -> None:
    for mean in self._means.values():
      mean.reset_state()


def without_targets(batch: Batch) -> Batch:
  """Undo Keras' wrapping of a batch as (batch,) or (batch, None, None)."""
  alone = isinstance(batch, tuple) and all(part is None for part in batch[1:])
  return batch[0] if alone else batch


def _loss_first(terms: dict) -> list:
  return [terms["loss"], *(terms[name] for name in sorted({*terms} - {"loss"}))]


def _names_of_terms(
  step: Callable, iterator: Iterator, strategy: tf.distribute.Strategy
) -> list[str]:
  """Names of the terms of `step` for a batch of `iterator`, by tracing it only."""
  names: list[str] = []

  @tf.autograph.experimental.do_not_convert
  def trace(iterator: Iterator) -> None:
    names.extend(strategy.run(step, args=(next(iterator),)))

  tf.function(trace).get_concrete_function(iterator)
  return names
