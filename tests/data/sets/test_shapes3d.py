import h5py
import numpy as np
import official_formats
import official_set_checks
import pytest

from disentangle_tf.data.sets.shapes3d import Shapes3D


def test_keeps_the_promises_of_a_set_from_files(tiny, tmp_path):
  official_set_checks.run_official_set_test(Shapes3D, tmp_path)


def test_as_published():
  official_set_checks.assert_published(Shapes3D, num_images=480_000, shape=(64, 64, 3))


def test_a_missing_file_is_named_with_the_command_to_run(tmp_path, monkeypatch):
  official_set_checks.assert_missing_is_named(
    Shapes3D, "shapes3d", "3dshapes.h5", tmp_path / "none", monkeypatch
  )


@pytest.mark.parametrize("damage", official_set_checks.DAMAGES)
def test_a_damaged_file_is_named(damage, tiny, tmp_path):
  official_set_checks.assert_damage_is_named(Shapes3D, "3dshapes.h5", damage, tmp_path)


def _no_images(folder):
  with h5py.File(folder / "3dshapes.h5", "w") as file:
    file["pictures"] = np.zeros(3)


def _wrong_order(folder):
  count = official_formats.space_of(Shapes3D).num_points
  labels = np.random.default_rng(0).uniform(size=(count, 6))
  official_formats.write_shapes3d(folder, labels=labels)


def _wrong_dtype(folder):
  count = official_formats.space_of(Shapes3D).num_points
  images = np.zeros((count, 64, 64, 3), np.float32)
  official_formats.write_shapes3d(folder, images=images)


@pytest.mark.parametrize(
  ("write", "parts"),
  [
    (_no_images, ["cannot read", "3dshapes.h5", "images"]),
    (_wrong_order, ["not the official file", "labels of floor_hue"]),
    (_wrong_dtype, ["not the official file", "float32"]),
  ],
)
def test_a_file_that_is_not_the_official_one_is_named(write, parts, tiny, tmp_path):
  write(tmp_path)
  official_set_checks.assert_refused(Shapes3D, tmp_path, parts)


def test_the_official_format(golden_folder, tmp_path):
  folder = golden_folder / "tensorflow_datasets" / "shapes3d" / "dummy_data"
  official_set_checks.raises_one_line(
    lambda: Shapes3D(folder=tmp_path, source=folder),
    "images is uint8 (5, 64, 64, 3), expected uint8 (480000, 64, 64, 3)",
  )
