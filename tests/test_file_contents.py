import os

import numpy as np

from disentangle_tf import file_contents
from disentangle_tf.file_contents import content_of
from disentangle_tf.output_files import sha256_file


def test_a_file_is_its_bytes(tmp_path):
  path = tmp_path / "a.npz"
  path.write_bytes(b"one")
  first = content_of(path)
  assert first == content_of(str(path)) == sha256_file(path)
  stamp = path.stat()
  path.write_bytes(b"two")
  os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
  assert content_of(path) == sha256_file(path) != first
  path.write_bytes(b"one")
  assert content_of(path) == first


def test_folders_are_what_their_listing_says(tmp_path):
  assert content_of(tmp_path) is None and content_of(tmp_path / "gone") is None
  assert content_of("") is None and content_of("a\0b") is None
  (tmp_path / "images.npy").write_bytes(b"images")
  assert content_of(tmp_path) == sha256_file(tmp_path / "images.npy")
  (tmp_path / "manifest.json").write_text("{}")
  assert content_of(tmp_path) == sha256_file(tmp_path / "manifest.json")


def test_of_large_files_size_and_parts_count(tmp_path, monkeypatch):
  monkeypatch.setattr(file_contents, "_WHOLE", 1_000)
  monkeypatch.setattr(file_contents, "_SAMPLE", 10)
  content = np.random.default_rng(0).bytes(100_000)
  path = tmp_path / "large"

  def found(changed):
    path.write_bytes(changed)
    return content_of(path)

  first = found(content)
  assert first == found(content) != sha256_file(path)
  assert found(content + b"x") != first
  for place in (0, len(content) - 1):
    other = bytearray(content)
    other[place] ^= 1
    assert found(bytes(other)) != first
  fresh = np.random.default_rng(1).bytes(100_000)
  assert found(fresh) != first
