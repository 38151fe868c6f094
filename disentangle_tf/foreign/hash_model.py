"""The sha256 that identifies a model or a file of arrays."""

from __future__ import annotations

import pathlib
import tempfile
from typing import TYPE_CHECKING

from disentangle_tf.foreign.copy_model import copy_model
from disentangle_tf.foreign.find_kind import holds_arrays
from disentangle_tf.output_files import sha256_file, sha256_listing

if TYPE_CHECKING:
  import os


def hash_model(path: str | os.PathLike) -> str:
  """Hash a model, or a file of arrays, without opening it.

  Args:
    path: folder or file of a model, or an .npz or .npy file.

  Returns:
    The sha256 that scores.json records: of arrays that of the file, of a model one for
    the names and hashes of all its files (`ForeignModel.sha256_of_all`).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf.foreign.hash_model import hash_model
    >>> np.save("codes.npy", np.zeros((2, 3), np.float32))
    >>> len(hash_model("codes.npy"))
    64
  """
  if holds_arrays(path):
    return sha256_file(path)
  with tempfile.TemporaryDirectory() as folder:
    hashes, _ = copy_model(path, pathlib.Path(folder) / "model")
  return sha256_listing(hashes)
