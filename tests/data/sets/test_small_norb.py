import gzip

import numpy as np
import official_formats
import official_set_checks
import pytest

from disentangle_tf.data.files.official_files import files_of
from disentangle_tf.data.sets.small_norb import (
  SmallNORB,
  read_factors,
  read_left_images,
)


def test_keeps_the_promises_of_a_set_from_files(tiny, tmp_path):
  official_set_checks.run_official_set_test(SmallNORB, tmp_path)


def test_as_published():
  official_set_checks.assert_published(SmallNORB, num_images=48_600, shape=(64, 64, 1))


def test_files_may_be_unpacked(tiny, tmp_path):
  images = official_formats.write(SmallNORB, tmp_path, packed=False)
  np.testing.assert_array_equal(SmallNORB(folder=tmp_path).images, images)


def test_a_missing_file_is_named_with_the_command_to_run(tmp_path, monkeypatch):
  official_set_checks.assert_missing_is_named(
    SmallNORB, "smallnorb", "training-dat.mat.gz", tmp_path / "none", monkeypatch
  )


@pytest.mark.parametrize(
  "file",
  [
    "smallnorb-5x01235x9x18x6x2x96x96-testing-dat.mat.gz",
    "smallnorb-5x46789x9x18x6x2x96x96-training-info.mat.gz",
  ],
)
@pytest.mark.parametrize("damage", official_set_checks.DAMAGES)
def test_a_damaged_file_is_named(file, damage, tiny, tmp_path):
  official_set_checks.assert_damage_is_named(SmallNORB, file, damage, tmp_path)


def _same_toy_twice(folder):
  _change_information(folder, lambda information: information * (0, 1, 1, 1))


def _toy_beyond_the_grid(folder):
  _change_information(folder, lambda information: information + 100)


def _too_few_toys(folder):
  _change_information(folder, lambda information: information[1:])


def _no_matrix(folder):
  _training_information(folder).write_bytes(gzip.compress(bytes(100)))


def _training_information(folder):
  return next(folder.glob("*training-info*"))


def _change_information(folder, change):
  path = _training_information(folder)
  information = np.frombuffer(gzip.decompress(path.read_bytes()), "<i4")[5:].reshape(
    -1, 4
  )
  official_formats.write_matrix(path, change(information))


@pytest.mark.parametrize(
  ("change", "parts"),
  [
    (_same_toy_twice, ["combinations of factors have no image"]),
    (_toy_beyond_the_grid, ["training-info", "leave the grid"]),
    (_too_few_toys, ["training-info", "not the official file"]),
    (_no_matrix, ["training-info", "no binary matrix"]),
  ],
)
def test_a_file_that_is_not_the_official_one_is_named(change, parts, tiny, tmp_path):
  official_formats.write_small_norb(tmp_path)
  change(tmp_path)
  official_set_checks.assert_refused(SmallNORB, tmp_path, parts)


def test_the_official_format(golden_folder):
  folder = golden_folder / "tensorflow_datasets" / "smallnorb" / "dummy_data"
  photographs, categories, information = (
    folder / file.unpacked for file in files_of("smallnorb")[:3]
  )
  factors = read_factors(categories, information)
  np.testing.assert_array_equal(
    factors,
    [[0, 1, 8, 4, 0], [0, 1, 1, 11, 2], [2, 2, 0, 16, 2], [1, 1, 4, 13, 5]]
    + [[2, 0, 5, 4, 1]],
  )
  ((start, images),) = read_left_images(photographs, 5, 96)
  assert start == 0 and images.shape == (5, 96, 96, 1)
  assert images[0, 0, :4, 0].tolist() == [0xAC, 0x2F, 0x75, 0xC0]
