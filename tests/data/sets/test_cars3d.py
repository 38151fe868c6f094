import official_formats
import official_set_checks
import pytest

from disentangle_tf.data.sets.cars3d import Cars3D


def test_keeps_the_promises_of_a_set_from_files(tiny, tmp_path):
  official_set_checks.run_official_set_test(Cars3D, tmp_path)


def test_as_published():
  official_set_checks.assert_published(Cars3D, num_images=17_568, shape=(64, 64, 3))


def test_a_missing_file_is_named_with_the_command_to_run(tmp_path, monkeypatch):
  official_set_checks.assert_missing_is_named(
    Cars3D, "cars3d", "cars/*.mat", tmp_path / "none", monkeypatch
  )


@pytest.mark.parametrize("damage", official_set_checks.DAMAGES)
def test_a_damaged_file_is_named(damage, tiny, tmp_path):
  official_set_checks.assert_damage_is_named(
    Cars3D, "cars/car_002_mesh.mat", damage, tmp_path
  )


def _no_cars_key(folder):
  official_formats.write_cars3d(folder, key="mask")


def _small_cars(folder):
  official_formats.write_cars3d(folder, side=16)


def _lost_car(folder):
  official_formats.write_cars3d(folder)
  (folder / "cars" / "car_001_mesh.mat").unlink()


@pytest.mark.parametrize(
  ("write", "parts"),
  [
    (_no_cars_key, ["cannot read", "car_000_mesh.mat", "im"]),
    (_small_cars, ["not the official file", "(16, 16, 3, 3, 2)"]),
    (_lost_car, ["holds 3 .mat files, expected 4"]),
  ],
)
def test_a_file_that_is_not_the_official_one_is_named(write, parts, tiny, tmp_path):
  write(tmp_path)
  official_set_checks.assert_refused(Cars3D, tmp_path, parts)


def test_it_is_not_in_tensorflow_datasets(tmp_path):
  official_set_checks.raises_one_line(
    lambda: Cars3D(folder=tmp_path, source="tfds"), "not in TensorFlow Datasets"
  )
