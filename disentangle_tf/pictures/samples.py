"""Images of codes that are drawn from the standard normal."""


def samples(model, rng, *, rows, columns):
  """What a model decodes from the prior: [rows, columns, H, W, C].

  Args:
    model: an `AskableModel` that `can_decode`.
    rng: a `numpy.random.Generator`.
    rows, columns: how many images.
  """
  images = model.decode(rng.normal(size=(rows * columns, model.num_latents)))
  return images.reshape(rows, columns, *images.shape[1:])
