import hashlib
import json

import numpy as np

from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.hash_model import hash_model
from disentangle_tf.foreign.look.arrays import Arrays


def sha256(content):
  return hashlib.sha256(content).hexdigest()


def test_arrays_have_the_hash_of_their_file(tmp_path):
  path = tmp_path / "codes.npy"
  np.save(path, np.ones((3, 2)))
  assert hash_model(path) == sha256(path.read_bytes()) == Arrays.read(path).sha256


def test_a_file_is_hashed_with_its_name(tmp_path):
  (tmp_path / "m.keras").write_bytes(b"not a model, never opened")
  listed = {"m.keras": sha256(b"not a model, never opened")}
  assert hash_model(tmp_path / "m.keras") == sha256(json.dumps(listed).encode())


def test_a_folder_is_known_again_by_what_is_read_of_it(copy):
  with ForeignModel(copy) as model:
    expected = model.sha256_of_all
  assert hash_model(copy) == expected
  (copy / "notes").write_text("which nothing reads")
  assert hash_model(copy) == expected
  (copy / "manifest.json").write_text("{}")
  assert hash_model(copy) != expected
