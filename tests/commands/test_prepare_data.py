"""bin/prepare_data.py as a user runs it."""

import sys

import matplotlib.image
import numpy as np
import official_formats
import pytest
from PIL import Image

from disentangle_tf.commands import prepare_data
from disentangle_tf.data import KNOWN_SETS, XYSquares
from disentangle_tf.data.sets.mpi3d import MPI3D
from disentangle_tf.data.sets.shapes3d import Shapes3D
from disentangle_tf.data.sets.small_norb import SmallNORB
from disentangle_tf.output_files import sha256_file
from disentangle_tf.pictures import factor_traversals
from disentangle_tf.plots import image_grid

OF_THE_USER = {"table", "manipulated", "uniform_noise"}


@pytest.fixture
def home(tmp_path, monkeypatch):
  """An empty data folder, for the tiny versions of the sets."""
  official_formats.use_empty_home(tmp_path / "home", monkeypatch)
  return tmp_path / "home"


def _call(*arguments):
  """Exit code of the command, called in this process."""
  with pytest.MonkeyPatch.context() as patch:
    patch.setattr(sys, "argv", ["prepare_data", *map(str, arguments)])
    try:
      prepare_data.main()
    except SystemExit as exit_:
      return exit_.code
  return 0


def _fails(capfd, *arguments):
  """The error line of a command that fails."""
  assert _call(*arguments) == 2
  lines = capfd.readouterr().err.strip().splitlines()
  assert len(lines) == 1 and lines[0].startswith("prepare_data: error: ")
  return lines[0]


def test_list_shows_the_state_of_every_set(home, capsys):
  official_formats.write(MPI3D, home / "mpi3d_toy")
  MPI3D()
  assert _call("list") == 0
  lines = capsys.readouterr().out.splitlines()
  assert [line.split()[0] for line in lines[1:]] == list(KNOWN_SETS)
  state = {line.split()[0]: line for line in lines[1:]}
  assert "ready" in state["dsprites"] and "ready" in state["mpi3d_toy"]
  assert "not prepared" in state["mpi3d_real"] and "1 MB" in state["mpi3d_toy"]
  assert str(home / "shapes3d") in state["shapes3d"]
  for name in ("xysquares_small", "color_dsprites", "noisy_dsprites", "pinwheel"):
    assert "ready" in state[name] and state[name].endswith("rendered, needs no file")
  assert "not prepared" in state["scream_dsprites"]
  assert state["scream_dsprites"].endswith(str(home / "the_scream.jpg"))
  assert "your own" in state["table"]


@pytest.mark.parametrize(
  ("cached", "name"),
  [(Shapes3D, "shapes3d"), (SmallNORB, "smallnorb"), (MPI3D, "mpi3d_toy")],
)
def test_prepare_from_a_folder_then_check(cached, name, home, tmp_path, capsys):
  images = official_formats.write(cached, tmp_path / "fetched")
  assert _call("prepare", name, "--from", tmp_path / "fetched") == 0
  assert f"{name} is ready: {len(images)} images" in capsys.readouterr().out

  sheet = tmp_path / "new" / "sheet.png"
  assert _call("check", name, "--output", sheet) == 0
  before = sheet.read_bytes()
  assert _call("check", name, "--output", sheet) == 2  # the file exists
  assert sheet.read_bytes() == before
  output = capsys.readouterr().out
  assert (
    f"{len(images)} images of 64 x 64" in output and cached.factor_names[0] in output
  )
  sheet = matplotlib.image.imread(tmp_path / "new" / "sheet.png")
  factors = len(cached.factor_names)
  assert sheet.shape[:2] == (factors * 65 + 1, 10 * 65 + 1)
  assert f"{sha256_file(home / name / 'images.npy')}  images.npy" in output


def test_rendered_sets_need_no_preparation(home, capsys):
  assert _call("prepare", "xysquares") == 0
  assert "nothing to prepare" in capsys.readouterr().out
  assert _call("check", "xysquares") == 0
  sheet = matplotlib.image.imread(home / "xysquares" / "traversals.png")[..., :3]
  expected = image_grid(factor_traversals(XYSquares()))
  np.testing.assert_allclose(sheet, expected, atol=1 / 254)


@pytest.mark.parametrize("name", sorted(set(KNOWN_SETS) - OF_THE_USER))
def test_every_set_that_can_be_made_is_checked(name, home, monkeypatch, capsys):
  official_formats.use_tiny_tfds(monkeypatch)
  known = KNOWN_SETS[name]
  if known.data_class in official_formats.SIZES:
    official_formats.write(known.data_class, home / name, **known.arguments)
  elif name == "scream_dsprites":
    home.mkdir()
    Image.new("RGB", (90, 80)).save(home / "the_scream.jpg")
  assert _call("check", name) == 0
  data = known.make()
  output = capsys.readouterr().out
  has_images = name not in ("pinwheel", "lattice")
  assert f"{len(data):,} {'images' if has_images else 'points'} of" in output
  assert f"{data.factors.names[-1]} {data.factors.sizes[-1]}" in output
  sheet = home / name / "traversals.png"
  assert sheet.exists() == has_images


def test_points_cannot_be_drawn(home, tmp_path, capfd):
  message = _fails(capfd, "check", "pinwheel", "--output", tmp_path / "sheet.png")
  assert "pinwheel has no images to draw" in message


@pytest.mark.parametrize(
  ("arguments", "message"),
  [
    ((), "list, prepare NAME or check NAME"),
    (("chek", "cars3d"), "did you mean 'check'"),
    (("list", "cars3d"), "list takes no name"),
    (("prepare",), "prepare takes one name, got 0"),
    (("check", "cars3d", "dsprites"), "check takes one name, got 2"),
    (("prepare", "car3d"), "did you mean 'cars3d'"),
    (("prepare", "cars3d", "--form", "x"), "Did you mean: from"),
    (("prepare", "cars3d", "--from", "nowhere"), "nowhere is no folder"),
    (("prepare", "cars3d", "--from", "."), "no cars/*.mat"),
    (("prepare", "cars3d", "--from", "tfds"), "not in TensorFlow Datasets"),
    (("prepare", "shapes3d", "--from", "."), "no 3dshapes.h5"),
    (("check", "smallnorb"), "prepare_data.py prepare smallnorb"),
    (("check", "table"), "an npz file of your own"),
    (("check", "manipulated"), "a folder of your own"),
    (("check", "uniform_noise"), "a set of your own"),
  ],
)
def test_mistakes_cost_one_line(arguments, message, home, tmp_path, monkeypatch, capfd):
  monkeypatch.chdir(tmp_path)
  assert message in _fails(capfd, *arguments)
  assert not home.exists()
