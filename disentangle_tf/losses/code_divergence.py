"""Base class of divergences between the codes of a batch and the prior."""

import abc

from disentangle_tf.init_arguments import init_arguments


class CodeDivergence(abc.ABC):
  """A divergence between the aggregate posterior and the prior."""

  @abc.abstractmethod
  def __call__(self, posterior, codes, prior, drawn):
    """A scalar, 0 if they agree.

    Args:
      posterior: tfp distribution [batch, latents].
      codes: [batch, latents], drawn from it.
      prior: a `priors.Prior`.
      drawn: [batch, latents], drawn from the prior.
    """

  def get_config(self):
    return init_arguments(self)

  @classmethod
  def from_config(cls, config):
    return cls(**config)
