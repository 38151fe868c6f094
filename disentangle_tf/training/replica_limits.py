"""What several replicas of a model cannot do, or do otherwise than one."""

import keras


def what_xla_cannot_compile(model):
  """What of a model exchanges values between replicas within the loss, or None."""
  if model.needs_whole_batch:
    return f"{type(model).__name__}, which compares images of all replicas"
  loss = model.supervision
  if loss is not None and loss.needs_whole_batch:
    return f"{type(loss).__name__}, which compares images of all replicas"
  names = [layer.name for layer in _normalising(model) if layer.synchronized]
  return f"the synchronised layer {names[0]}" if names else None


def print_partial_statistics(model):
  """Prints which layers see one replica's part of the batch, if any does."""
  names = [layer.name for layer in _normalising(model) if not layer.synchronized]
  if names:
    print(
      f"Computing.strategy: the layer {names[0]} normalises by one replica's part of "
      "the batch; make it with synchronized=True to learn as with one replica"
    )


def _normalising(model):
  """The layers that normalise by statistics of the batch."""
  for layer in model.layers:
    if hasattr(layer, "synchronized"):
      yield layer
    elif isinstance(layer, keras.Model):
      yield from _normalising(layer)
