"""`ReportingModel`: what Keras' own training asks of a model with a loss of its own."""

import types

import keras
import tensorflow as tf

from disentangle_tf.errors import UserError


class ReportingModel(keras.Model):
  """A model whose `fit` and `evaluate` report the mean of every term of its loss.

  `train_step` and `test_step` give {term: its value for this batch} and pass the terms
  to `count`. Means are over the images of an epoch.
  """

  def __init__(self, **options):
    super().__init__(**options)
    self._means = _TermMeans()

  def compile(
    self,
    optimizer="rmsprop",
    loss=None,
    loss_weights=None,
    metrics=None,
    weighted_metrics=None,
    **options,
  ):
    """Sets the optimiser, see `keras.Model.compile`; the loss is the model's own."""
    why = "the model has a loss of its own and reports its terms"
    self._refuse("compile", why, loss=loss, loss_weights=loss_weights)
    self._refuse("compile", why, metrics=metrics, weighted_metrics=weighted_metrics)
    super().compile(optimizer, **options)

  def compile_from_config(self, config):
    # Keras leaves a loaded model uncompiled if its `compile` is not Keras' own.
    self.compile(**keras.saving.deserialize_keras_object(config))
    if self.optimizer is not None:
      self.optimizer.build(self.trainable_variables)

  def count(self, terms, batch):
    """Has the terms of a batch reported, if `fit` or `evaluate` is at work."""
    self._means.update(terms, batch)

  @property
  def metrics(self):
    """A `keras.metrics.Mean` per term, once `fit` or `evaluate` has seen a batch."""
    return self._means.reported

  def reset_metrics(self):
    """Begins an epoch."""
    self._means.reset()

  def get_metrics_result(self):
    """{term: its mean since the last reset}."""
    return {mean.name: mean.result() for mean in self._means.reported}

  def make_train_function(self, force=False):
    """The function that `fit` calls."""
    if self.train_function is None or force:
      super().make_train_function(force)
      self.train_function = self._reporting(self.train_function, self.train_step)
    return self.train_function

  def make_test_function(self, force=False):
    """The function that `evaluate` calls."""
    if self.test_function is None or force:
      super().make_test_function(force)
      self.test_function = self._reporting(self.test_function, self.test_step)
    return self.test_function

  def train_on_batch(
    self, x, y=None, sample_weight=None, class_weight=None, return_dict=False
  ):
    """One step with the batch `x`: its terms, as a list with the loss first."""
    why = "x is the whole batch"
    self._refuse("train_on_batch", why, y=y, sample_weight=sample_weight)
    self._refuse("train_on_batch", why, class_weight=class_weight)
    terms = super().train_on_batch(x, return_dict=True)
    return terms if return_dict else _loss_first(terms)

  def test_on_batch(self, x, y=None, sample_weight=None, return_dict=False):
    """The terms of the batch `x`, as a list with the loss first."""
    why = "x is the whole batch"
    self._refuse("test_on_batch", why, y=y, sample_weight=sample_weight)
    terms = super().test_on_batch(x, return_dict=True)
    return terms if return_dict else _loss_first(terms)

  def _reporting(self, function, step):
    """`function` of an iterator, with means of all terms that `step` gives.

    They are made before Keras traces the step, because variables cannot be made within
    it on several replicas.
    """
    names = []

    def reporting(iterator):
      one_batch = isinstance(iterator, types.GeneratorType)  # of `train_on_batch`
      if not names and not one_batch:
        names.extend(_names_of_terms(step, iterator, self.distribute_strategy))
        with self.distribute_strategy.scope():
          self._means.make(names)
      self._means.names = names
      return function(iterator)

    return reporting

  def _refuse(self, method, why, **arguments):
    for name, value in arguments.items():
      if value is not None:
        raise UserError(f"{type(self).__name__}.{method}: {why}: leave out {name}")


class _TermMeans:
  """One `keras.metrics.Mean` per term; a plain object, which no checkpoint contains."""

  def __init__(self):
    self._means = {}
    self.names = []  # of those that are reported

  @property
  def reported(self):
    return [self._means[name] for name in self.names]

  def make(self, names):
    for name in names:
      if name not in self._means:
        self._means[name] = keras.metrics.Mean(name)

  def update(self, terms, batch):
    size = tf.shape(tf.nest.flatten(batch)[0])[0]
    for name, value in terms.items():
      if name in self._means:
        self._means[name].update_state(value, sample_weight=size)

  def reset(self):
    for mean in self._means.values():
      mean.reset_state()


def without_targets(batch):
  """The batch, of which Keras makes (batch,) or (batch, None, None)."""
  alone = isinstance(batch, tuple) and all(part is None for part in batch[1:])
  return batch[0] if alone else batch


def _loss_first(terms):
  return [terms["loss"], *(terms[name] for name in sorted({*terms} - {"loss"}))]


def _names_of_terms(step, iterator, strategy):
  """Names of what `step` gives for a batch of `iterator`; traces it, runs nothing."""
  names = []

  @tf.autograph.experimental.do_not_convert
  def trace(iterator):
    names.extend(strategy.run(step, args=(next(iterator),)))

  tf.function(trace).get_concrete_function(iterator)
  return names
