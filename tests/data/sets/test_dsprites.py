import hashlib
import zipfile

import numpy as np
import pytest
from shared_checks import run_dataset_test

from disentangle_tf.data import DSprites
from disentangle_tf.data.sets import dsprites, dsprites_rendering
from disentangle_tf.errors import UserError

# Of every 731st image, packed.
SAMPLE_SHA256 = "6fe2cf668d5df915df0f63bf6ea74ffbd88179ba294af5b29e6a3b8fc4529c64"


def _sample(data, count=200):
  return data.factors.draw(count, np.random.default_rng(0))


def test_keeps_the_promises_of_a_data_set():
  run_dataset_test(DSprites())


def test_the_set_of_the_papers():
  data = DSprites()
  assert data.factors.sizes == (3, 6, 40, 32, 32)
  assert len(data) == 737_280
  assert set(np.unique(data.observe(_sample(data)))) == {0.0, 1.0}


def test_sampled_images_are_the_ones_that_were_compared_with_real_ones():
  data = DSprites()
  index = np.arange(0, len(data), 731)
  images = data.observe(data.factors.to_factors(index)).numpy().astype(np.uint8)
  assert hashlib.sha256(np.packbits(images)).hexdigest() == SAMPLE_SHA256


def test_real_images(golden_folder):
  real = np.load(golden_folder / "dsprites" / "dsprites_downsampled.npz")
  data = DSprites()
  factors = data.factors.to_factors(real["original_dataset_indices"])
  wrong = np.concatenate(
    [
      (data.observe(part).numpy()[..., 0] != (images > 0)).sum(axis=(1, 2))
      for part, images in zip(
        np.array_split(factors, 20), np.array_split(real["imgs"], 20), strict=True
      )
    ]
  )
  assert wrong.max() <= 1
  assert np.mean(wrong > 0) <= 1 / 5000


def test_positions_move_the_sprite_by_a_known_step():
  data = DSprites()
  for factor, axis in ((3, 2), (4, 1)):
    images = data.observe(data.factors.traversal((1, 3, 7, 9, 9), factor)).numpy()
    weights = images.sum(axis=(3 - axis, 3))
    centres = (weights * (np.arange(64) + 0.5)).sum(axis=1) / weights.sum(axis=1)
    np.testing.assert_allclose(centres, 16 + 32 * np.arange(32) / 31, atol=0.15)


def test_scales_change_the_side_of_the_square():
  data = DSprites()
  images = data.observe(data.factors.traversal((0, 0, 0, 15, 15), 1)).numpy()
  sides = np.sqrt(images.sum(axis=(1, 2, 3)))
  np.testing.assert_allclose(sides, 2 * 9.6 * (0.5 + 0.1 * np.arange(6)), atol=1)


def test_standardisation_is_that_of_table_a2():
  lit = (
    np.bitwise_count(dsprites._rendered(dsprites_rendering.SIZES, 64)).sum(
      axis=1, dtype=np.int64
    )
    / 4096
  )
  std = np.sqrt(lit * (1 - lit) * 4096 / 4095)
  (mean,), (paper_std,) = DSprites().standardisation()
  assert lit.mean() == pytest.approx(mean, abs=5e-8)
  assert std.mean() == pytest.approx(paper_std, abs=5e-8)


def test_a_coarser_grid_holds_images_of_the_original():
  """Every 5th scale, 13th orientation and 31st position is kept."""
  coarse = DSprites(sizes=(3, 2, 4, 2, 2))
  factors = coarse.factors.to_factors(np.arange(len(coarse)))
  np.testing.assert_array_equal(
    coarse.observe(factors), DSprites().observe(factors * (1, 5, 13, 31, 31))
  )


def test_smaller_images_are_the_same_sprites():
  """The area shrinks with the square of the side; the relative centre stays."""
  large, small = DSprites(), DSprites(image_size=32)
  factors = _sample(large)
  before, after = large.observe(factors).numpy(), small.observe(factors).numpy()
  assert after.shape == (200, 32, 32, 1) and set(np.unique(after)) == {0.0, 1.0}
  areas = before.sum(axis=(1, 2, 3)) / 4, after.sum(axis=(1, 2, 3))
  np.testing.assert_allclose(areas[1], areas[0], rtol=0.2)
  assert areas[1].mean() == pytest.approx(areas[0].mean(), rel=0.01)
  for axis in (1, 2):
    centres = [
      (images.sum(axis=(3 - axis, 3)) * (np.arange(side) + 0.5)).sum(axis=1)
      / images.sum(axis=(1, 2, 3))
      * (64 / side)
      for images, side in ((before, 64), (after, 32))
    ]
    np.testing.assert_allclose(centres[1], centres[0], atol=0.8)


def test_the_small_set_hardly_repeats_itself_but_at_the_last_orientation():
  data = DSprites(image_size=32, sizes=(3, 3, 10, 8, 8))
  run_dataset_test(data)
  factors = data.factors.to_factors(np.arange(len(data)))
  images = data.observe(factors).numpy().reshape(len(data), -1)
  different = len(np.unique(images[factors[:, 2] < 9], axis=0))
  assert (
    different >= 0.99 * len(data) * 9 / 10
  )  # some of the smallest squares are alike
  (mean,), _ = data.standardisation()  # measured, not the one of Table A2
  assert mean == pytest.approx(images.mean(), rel=1e-5)


@pytest.mark.parametrize(
  ("arguments", "words"),
  [
    ({"image_size": 20}, "DSprites.image_size is 20: it must be 8, 16, 24, ... 64"),
    ({"image_size": 72}, "image_size is 72"),
    ({"sizes": (3, 6, 40, 32)}, "sizes is .*: it must be five whole numbers"),
    ({"sizes": (3, 6, 41, 32, 32)}, "from 1 to those of .3, 6, 40, 32, 32."),
    ({"sizes": (3, 6, 0, 32, 32)}, "five whole numbers"),
    ({"path": "d.npz", "image_size": 32}, "images of a file have their own"),
  ],
)
def test_sizes_that_do_not_exist(arguments, words):
  with pytest.raises(UserError, match=words):
    DSprites(**arguments)


@pytest.mark.slow
def test_mean_distances_are_the_exact_ones():
  expected = (0.021483, 0.025137, 0.016515, 0.057203, 0.057346)
  sizes = dsprites_rendering.SIZES
  packed = dsprites._rendered(dsprites_rendering.SIZES, 64)
  for factor, size in enumerate(sizes):
    inner = int(np.prod(sizes[factor + 1 :]))
    blocks = packed.reshape(-1, size, inner * 512)
    total = 0.0
    for start in range(0, inner * 512, 4096):
      bits = np.unpackbits(blocks[:, :, start : start + 4096], axis=2)
      lit = bits.mean(axis=1, dtype=np.float32)
      total += float((lit * (1 - lit)).mean(dtype=np.float64)) * bits.shape[2]
    variance = total / (inner * 4096)
    assert 2 * size / (size - 1) * variance == pytest.approx(expected[factor], abs=1e-6)


@pytest.mark.slow
def test_mean_distance_of_random_pairs_is_the_exact_one():
  packed = dsprites._rendered(dsprites_rendering.SIZES, 64)
  lit = sum(
    np.unpackbits(part, axis=1).sum(axis=0, dtype=np.int64)
    for part in np.array_split(packed, 100)
  )
  share = lit / len(packed)
  distance = 2 * len(packed) / (len(packed) - 1) * (share * (1 - share)).mean()
  assert distance == pytest.approx(0.075222, abs=1e-6)


@pytest.fixture
def tiny_sizes(monkeypatch):
  monkeypatch.setattr(dsprites_rendering, "SIZES", (1, 2, 2, 2, 2))
  monkeypatch.setattr(dsprites, "_BLOCK", 3)
  return 16


def test_the_official_file(tiny_sizes, tmp_path):
  images = np.random.default_rng(0).integers(2, size=(16, 64, 64), dtype=np.uint8)
  np.savez_compressed(
    tmp_path / "d.npz", imgs=images, latents_classes=np.zeros((16, 6))
  )
  data = DSprites(path=tmp_path / "d.npz")
  factors = data.factors.to_factors(np.arange(16))
  np.testing.assert_array_equal(data.observe(factors)[..., 0], images)
  (mean,), _ = data.standardisation()
  assert mean == pytest.approx(images.mean())


@pytest.mark.parametrize("damage", ["missing", "text", "truncated", "shape", "key"])
def test_files_that_are_not_dsprites(tiny_sizes, tmp_path, damage):
  path = tmp_path / f"{damage}.npz"
  images = np.random.default_rng(0).integers(2, size=(16, 64, 64), dtype=np.uint8)
  if damage == "text":
    path.write_text("hello")
  elif damage == "truncated":
    np.savez(path, imgs=images)
    path.write_bytes(path.read_bytes()[:30_000])
  elif damage == "shape":
    np.savez(path, imgs=images[:5])
  elif damage == "key":
    np.savez(path, pictures=images)
  with pytest.raises(UserError, match=f"{damage}.npz") as raised:
    DSprites(path=path)
  assert "\n" not in str(raised.value)


def test_a_file_cut_inside_the_archive(tiny_sizes, tmp_path):
  path = tmp_path / "d.npz"
  with zipfile.ZipFile(path, "w") as archive, archive.open("imgs.npy", "w") as file:
    np.lib.format.write_array_header_1_0(
      file,
      {"descr": "|u1", "fortran_order": False, "shape": (16, 64, 64)},
    )
    file.write(bytes(5 * 4096))
  with pytest.raises(UserError, match="ends too early"):
    DSprites(path=path)
