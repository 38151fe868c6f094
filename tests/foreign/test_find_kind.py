import pytest

from disentangle_tf.foreign.find_kind import find_kind, holds_arrays


@pytest.mark.parametrize(
  ("name", "kind"),
  [
    ("vae.onnx", "onnx"),
    ("VAE.ONNX", "onnx"),
    ("vae.keras", "keras"),
    ("codes.npz", "arrays"),
    ("codes.NPY", "arrays"),
    ("vae.pt", None),
    ("npz", None),
    ("codes.npz.txt", None),
  ],
)
def test_files_by_their_names(name, kind, tmp_path):
  path = tmp_path / name
  assert find_kind(path) is None  # nothing is there yet
  path.touch()
  assert find_kind(path) == find_kind(str(path)) == kind
  assert holds_arrays(path) == (kind == "arrays")


def test_folders_by_what_they_hold(tmp_path):
  folder = tmp_path / "codes.npz"  # a folder's own name tells nothing
  folder.mkdir()
  assert find_kind(folder) is None and not holds_arrays(folder)
  for name in ("saved_model.pb", "saved_model.pbtxt"):
    (folder / name).touch()
    assert find_kind(folder) == "saved_model"
    (folder / name).unlink()
