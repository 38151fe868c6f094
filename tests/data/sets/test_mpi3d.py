import numpy as np
import official_formats
import official_set_checks
import pytest

from disentangle_tf.data.sets.mpi3d import MPI3D


def test_keeps_the_promises_of_a_set_from_files(tiny, tmp_path):
  official_set_checks.run_official_set_test(MPI3D, tmp_path)


def test_as_published():
  official_set_checks.assert_published(MPI3D, num_images=1_036_800, shape=(64, 64, 3))
  assert np.prod(MPI3D.grids[1]) == 460_800  # of disentanglement_lib


def test_releases_are_told_apart_by_their_number_of_images(tmp_path, monkeypatch):
  monkeypatch.setattr(MPI3D, "grids", ((3, 3, 1, 1, 1, 1, 1), (2, 2, 1, 1, 1, 1, 1)))
  for version, count, colours in (("toy", 4, 2), ("real", 9, 3)):
    images = np.zeros((count, 64, 64, 3), np.uint8)
    official_formats.write_mpi3d(tmp_path, version=version, images=images)
    data = MPI3D(version=version, folder=tmp_path / version, source=tmp_path)
    assert data.factors.sizes[:2] == (colours, colours)


@pytest.mark.parametrize("version", ["toy", "realistic", "real"])
def test_a_missing_file_is_named_with_the_command_to_run(
  version, tmp_path, monkeypatch
):
  name = f"mpi3d_{version}"
  official_set_checks.assert_missing_is_named(
    lambda: MPI3D(version=version), name, f"{name}.npz", tmp_path / "none", monkeypatch
  )


@pytest.mark.parametrize("damage", official_set_checks.DAMAGES)
def test_a_damaged_file_is_named(damage, tiny, tmp_path):
  official_set_checks.assert_damage_is_named(MPI3D, "mpi3d_toy.npz", damage, tmp_path)


@pytest.mark.parametrize(
  ("shape", "parts"),
  [
    ((48, 32, 32, 3), ["not the official file", "32"]),
    ((5, 64, 64, 3), ["mpi3d_toy.npz holds 5 images, expected 48"]),
  ],
)
def test_a_file_that_is_not_the_official_one_is_named(shape, parts, tiny, tmp_path):
  official_formats.write_mpi3d(tmp_path, images=np.zeros(shape, np.uint8))
  official_set_checks.assert_refused(MPI3D, tmp_path, parts)


def test_a_mistaken_version_is_named():
  official_set_checks.raises_one_line(
    lambda: MPI3D(version="reel"), "version", "'reel'"
  )
