"""What is wrong with a model, rather than with how the program was called."""

import re

from disentangle_tf.errors import UserError


class ModelError(UserError):
  """A model that is refused, damaged, or misbehaves; commands exit with code 3."""

  exit_code = 3


def printable(text, *, longest=200):
  """A stranger's text as one line without control characters."""
  text = re.sub(r"[^\x20-\x7e]+", " ", str(text)).strip()
  return text if len(text) <= longest else text[: longest - 3] + "..."
