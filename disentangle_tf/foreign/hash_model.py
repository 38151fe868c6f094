"""The sha256 by which a model, or a file of arrays, is known again."""

import pathlib
import tempfile

from disentangle_tf.foreign.copy_model import copy_model
from disentangle_tf.foreign.find_kind import holds_arrays
from disentangle_tf.output_files import sha256_file, sha256_listing


def hash_model(path):
  """The sha256 that scores.json records for what lies at `path`; nothing is opened.

  Of arrays that of the file; of a model one for the names and hashes of all its files,
  as `ForeignModel.sha256_of_all` gives it.
  """
  if holds_arrays(path):
    return sha256_file(path)
  with tempfile.TemporaryDirectory() as folder:
    hashes, _ = copy_model(path, pathlib.Path(folder) / "model")
  return sha256_listing(hashes)
