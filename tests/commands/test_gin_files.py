"""Every shipped gin file parses, and every run builds."""

import gin
import numpy as np
import pytest
from command_calls import COMPOSED_RUNS, RUN_FILES, run_files
from manipulated_sets import write_manipulated
from PIL import Image

from disentangle_tf import studies, training
from disentangle_tf.commands.gin_configuration import find_data, read_configuration
from disentangle_tf.commands.gin_files import gin_home, shipped
from disentangle_tf.commands.study_configuration import metric_arguments
from disentangle_tf.data import GroundTruthData
from disentangle_tf.data.files.official_files import OFFICIAL_FILES
from disentangle_tf.errors import UserError
from disentangle_tf.models import RepresentationModel

FILES = sorted(path.relative_to(gin_home()) for path in gin_home().glob("gin/**/*.gin"))
FIGURES = [file for file in FILES if {"studies", "perceived"} & set(file.parts)]
OF_TFDS = {"celeb_a", "fashion_mnist"}  # would be fetched
OF_FILES = {file.data_set for file in OFFICIAL_FILES}  # sets that must be prepared
PARTS_OF_RUNS = {"training", "locatello", "zietlow"} | {
  name for name in shipped("runs") if name.endswith("cpu_size")
}
RUNS_OF_TFDS = {"mathieu_sparse"}
# Of a set as large as those of the papers they take seconds.
SINGULAR_VALUES = (
  "data.singular_values.data=@small/data.XYSquares()",
  *("small/data.XYSquares.image_size=16", "small/data.XYSquares.grid_spacing=2"),
  *("small/data.XYSquares.num_squares=2", "small/data.XYSquares.square_size=2"),
)
VALUES = ("BETA=1.0", "LATENTS=2", "STEPS=1", "training.Computing.jit_compile=False")


@pytest.mark.parametrize("file", FILES, ids=str)
def test_says_what_must_be_set_and_what_is_often_overridden(file):
  text = (gin_home() / file).read_text()
  assert text.startswith("# ")
  assert "# Must be set:" in text
  assert "# Often overridden:" in text


@pytest.mark.parametrize("name", [*shipped("runs"), *COMPOSED_RUNS])
def test_every_run_builds_its_model_and_data(name, caplog):
  files, bindings = run_files(name)
  if name in PARTS_OF_RUNS:
    files = [*RUN_FILES, *files]
  elif name in RUNS_OF_TFDS:
    files.append("gin/runs/cpu_size.gin")
  read_configuration(files, VALUES if name in PARTS_OF_RUNS else bindings)
  train = gin.get_configurable(training.train)
  description = training.RunDescription(text=gin.operative_config_str)
  with caplog.at_level("INFO"):
    assert train(output_dir=None, dry_run=True, description=description) is None
  assert "training.train.steps" in caplog.text


@pytest.mark.parametrize("file", FIGURES, ids=str)
def test_every_figure_is_configured(file):
  if "bin/perceive.py" in (gin_home() / file).read_text():
    read_configuration([file], ["perceived.perceive.data = %DATA"])
    assert gin.get_bindings("perceived.perceive")["data"].has_factors
    return
  read_configuration([file], ())
  study = studies.Study(**gin.get_bindings("studies.Study"))
  assert study.plots and all(map(callable, study.plots))
  for plan in _one_of_each_method(study.plans()):
    anisotropic = any("mathieu_anisotropic" in name for name in plan.files)
    read_configuration(
      plan.files, [*plan.bindings, *(SINGULAR_VALUES if anisotropic else ())]
    )
    gin.get_configurable(training.train)(output_dir=None, dry_run=True)


def _one_of_each_method(plans):
  """The last of each method that is trained on a set that needs no file."""
  wanted = {*OF_TFDS, *OF_FILES, "scream_dsprites", "manipulated"}
  named = {f"gin/data/{name}.gin" for name in wanted} | {
    f"SET={name!r}" for name in wanted
  }
  return {
    plan.method: plan
    for plan in plans
    if not named & {*plan.files, *plan.bindings} and plan.data not in wanted
  }.values()


@pytest.mark.parametrize("folder", ["losses", "models", "networks"])
def test_every_part_builds_within_a_run(folder):
  for name in shipped(folder):
    read_configuration(
      [*RUN_FILES, f"gin/{folder}/{name}.gin"], [*VALUES, "UNITS=(4,)"]
    )
    train = gin.get_configurable(training.train)
    train(output_dir=None, dry_run=True)
    bound = gin.get_bindings("training.train")
    assert isinstance(bound["data"], GroundTruthData)
    assert isinstance(bound["model"](), RepresentationModel)


def _configured_data(name, bindings=()):
  read_configuration(
    ["gin/metrics/default.gin", find_data(name)],
    ["evaluation.evaluate.data = %DATA", *bindings],
  )
  return gin.get_bindings("evaluation.evaluate")["data"]


@pytest.mark.parametrize("name", sorted(set(shipped("data")) - OF_FILES - OF_TFDS))
def test_every_data_set_is_made_by_its_name(name, tmp_path):
  bindings = []
  if name == "table":
    np.savez(tmp_path / "mine.npz", images=np.zeros((2, 4, 4)), factors=[0, 1])
    bindings = [f"PATH = '{tmp_path}/mine.npz'"]
  elif name == "manipulated":
    bindings = [f"FOLDER = '{write_manipulated(tmp_path / 'hard')}'"]
  elif name == "uniform_noise":
    bindings = ["SET = 'spot'"]
  elif name == "scream_dsprites":
    Image.new("RGB", (90, 80)).save(tmp_path / "scream.png")
    bindings = [f"data.ScreamDSprites.painting = '{tmp_path}/scream.png'"]
  assert isinstance(_configured_data(name, bindings), GroundTruthData)


@pytest.mark.parametrize("name", sorted(OF_FILES))
def test_a_data_set_without_its_files_says_how_to_get_them(name, tmp_path, monkeypatch):
  monkeypatch.setenv("DISENTANGLE_TF_DATA", str(tmp_path))
  with pytest.raises(UserError, match=f"python bin/prepare_data.py prepare {name} "):
    _configured_data(name)


def test_smallnorb_with_four_factors_hides_the_instance(tmp_path):
  file = "gin/data/variants/smallnorb_four_factors.gin"
  cache = np.lib.format.open_memmap(
    tmp_path / "images.npy", "w+", np.uint8, (48_600, 64, 64, 1)
  )
  cache.flush()  # a sparse file
  data = _configured_data(file, [f"data.SmallNORB.folder = '{tmp_path}'"])
  assert data.factors.names == ("category", "elevation", "rotation", "lighting")
  assert data.factors.sizes == (5, 9, 18, 6) and not data.one_image_per_point


def test_the_default_metrics_are_those_of_michlo():
  def measured(metrics):
    arguments = metric_arguments(metrics)["measurements"]
    return [(each.name, each.metric, each.settings()) for each in arguments]

  assert measured("gin/metrics/default.gin") == measured("michlo_final")
