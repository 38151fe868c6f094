"""A configuration has one data set object, which all references share."""

import importlib
import textwrap

import gin
import pytest
from command_calls import QUICK, binding_flags, call

from disentangle_tf.commands import evaluate, perceive, train
from disentangle_tf.commands.gin_configuration import find_data, read_configuration
from disentangle_tf.errors import UserError

RUN = ("gin/runs/demo_mse.gin", "gin/models/beta_tcvae.gin")  # which counts points too


@pytest.fixture
def counting(tmp_path, monkeypatch):
  """(a module whose data set counts its instances, a gin file that uses it)."""
  module = f"sets_{tmp_path.name}"  # gin keeps modules for the whole process
  (tmp_path / f"{module}.py").write_text(
    textwrap.dedent("""\
      from disentangle_tf.data import LabelledSet, XYSquares

      made = []

      class Counting(XYSquares):
        def __init__(self, grid_spacing=2):
          super().__init__(
            grid_spacing=grid_spacing, num_squares=2, image_size=8, square_size=2
          )
          made.append(self)
    """)
  )
  file = tmp_path / "mine.gin"
  file.write_text(
    "from __gin__ import dynamic_registration\n"
    f"import {module}\n"
    f"DATA = @{module}.Counting()\n"
  )
  monkeypatch.syspath_prepend(tmp_path)
  return importlib.import_module(module), file


def test_train_makes_its_data_once(counting, tmp_path):
  module, file = counting
  words = [word for name in (*RUN, file) for word in ("--gin_file", name)]
  assert call(
    train.main, *words,
    *binding_flags("UNITS=(4,)", "STEPS=1", "training.Computing.jit_compile=False"),
    "--output_dir", tmp_path / "run",
  ) == 0  # fmt: skip
  assert len(module.made) == 1


def test_labelled_images_are_of_the_same_set(counting):
  module, file = counting
  files = ["gin/runs/demo_semi_supervised.gin", file]
  read_configuration(files, ["UNITS=(4,)", "data.LabelledSet.num_labelled=5"])
  bound = gin.get_bindings("training.train")
  (made,) = module.made
  assert bound["data"] is bound["sampling"].labelled_set.data is made
  again = gin.get_bindings("training.train")["sampling"].labelled_set
  assert again is bound["sampling"].labelled_set


def test_evaluate_makes_its_data_once(counting, exported, tmp_path):
  module, file = counting
  assert call(
    evaluate.main, "--model", exported[0], "--trusted", "--data", file,
    "--protocol", "fast",
    *binding_flags(
      "evaluation.evaluate.num_points=50", "evaluation.evaluate.num_test_points=20",
    ),
    "--output_dir", tmp_path / "out",
  ) == 0  # fmt: skip
  assert len(module.made) == 1


def test_perceive_makes_its_data_once(counting, tmp_path):
  module, file = counting
  assert call(
    perceive.main, "--gin_file", file, "--gin_file", "gin/losses/overlap_learned.gin",
    *binding_flags(
      "perceived.learned_kernel.radius=1", "perceived.perceive.num_pairs=20",
      "perceived.perceive.num_curve_pairs=20", "perceived.perceive.num_traversals=2",
    ),
    "--output_dir", tmp_path / "out",
  ) == 0  # fmt: skip
  assert len(module.made) == 1


def test_every_configuration_makes_its_own(counting):
  module, file = counting
  spacings = []
  for spacing in (1, 2):
    binding = f"{module.__name__}.Counting.grid_spacing={spacing}"
    read_configuration([*RUN, file], [binding])
    data = [gin.get_bindings("training.train")["data"] for _ in range(2)]
    assert data[0] is data[1]
    spacings.append(data[0].grid_spacing)
  assert spacings == [1, 2] and len(module.made) == 2


def test_a_binding_overrides_the_data_of_files(counting):
  module, file = counting
  read_configuration([*RUN, file], ["DATA=@data.XYSquares()"])
  assert gin.get_bindings("training.train")["data"].name == "xysquares"
  assert (
    gin.get_bindings("data.observation_shape")["data"]
    is (gin.get_bindings("training.train")["data"])
  )
  assert not module.made


def test_sets_of_different_scopes_stay_different():
  read_configuration(
    ["gin/perceived/figure_8.gin"], ["perceived.perceive.data = %DATA"]
  )
  bound = gin.get_bindings("perceived.perceive")
  sets = [bound["data"], *bound["others"].values()]
  assert len({id(each) for each in sets}) == 9
  assert [each.grid_spacing for each in sets] == [8, 8, 7, 6, 5, 4, 3, 2, 1]


def test_the_configuration_is_written_as_before(capsys):
  assert call(train.main, *QUICK, "--dry_run") == 0
  told = capsys.readouterr().out
  assert "DATA = @data.XYSquares()" in told
  assert "training.train.data = %DATA" in told


def test_unknown_data_sets_list_the_known_ones():
  with pytest.raises(UserError, match="did you mean 'xysquares'.*xysquares_small"):
    find_data("xysqares")
