"""bin/manipulate.py as a user runs it, on a study of small models of Spot."""

import json
import shutil

import numpy as np
import pytest
from command_calls import MIG_ALONE, ZIETLOW_SMALL, call

from disentangle_tf.commands import manipulate
from disentangle_tf.commands.study_configuration import read_run
from disentangle_tf.data import Manipulated, Spot
from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.run import train_and_score

SMALL = [
  *("STEPS=300", "UNITS=(32,)", "LEARNING_RATE=0.01"),
  *("training.Computing.jit_compile=False", "training.Watching.pictures_every=300"),
]
CHOICE = "adversary.choose_references"
FEW = [
  *("--gin_bindings", "STEPS=4", "--gin_bindings", "training.Watching.log_every=2"),
  *("--gin_bindings", "adversary.manipulate.jit_compile=False"),
]


@pytest.fixture(scope="module")
def study(tmp_path_factory):
  """A study of two seeds that are done and one that is not.

  The second is a copy of the first that claims a lower score, so that they compare.
  """
  folder = tmp_path_factory.mktemp("study")
  (folder / "mig.gin").write_text(MIG_ALONE)
  plans = plan_study(
    {"beta-VAE": {"files": ZIETLOW_SMALL, "bindings": ["BETA=1.0"]}},
    seeds=3,
    bindings=SMALL,
    metrics=str(folder / "mig.gin"),
  )
  found = StudyFolder(folder)
  found.write_plans(plans)
  first, second = (found.run(plan) for plan in plans[:2])
  first.path.mkdir(parents=True)
  train_and_score(read_run(plans[0]), first.path)
  shutil.copytree(first.path, second.path)
  content = json.loads(second.scores.read_text())
  content["scores"]["mig"] = -1.0
  second.scores.write_text(json.dumps(content))
  return folder


def test_a_manipulated_set_of_a_study(study, tmp_path, capfd):
  words = ["--references", study, "--output_dir", tmp_path / "out"]
  one = ["--gin_bindings", f"{CHOICE}.count=1"]
  assert call(manipulate.main, *words, *FEW, *one) == 0
  printed = capfd.readouterr().out
  assert "references: entangled" in printed and "visualize" in printed
  data = Manipulated.from_folder(tmp_path / "out" / "set")
  factors = data.factors.to_factors(np.arange(len(data)))
  change = data.observe(factors).numpy() - Spot().observe(factors).numpy()
  assert 0 < np.abs(change).max() <= 0.1 + 1e-6
  (entangled,) = data.manifest["references"]["entangled"]
  (disentangled,) = data.manifest["references"]["disentangled"]
  assert entangled["run"] == "beta-VAE/seed_1"
  assert disentangled["run"] == "beta-VAE/seed_0"
  assert entangled["mig"] == -1.0 and len(entangled["sha256"]) == 64

  assert call(manipulate.main, *words, *FEW) == 2
  assert "--resume" in capfd.readouterr().err
  more = ["--gin_bindings", "STEPS=6", *FEW[2:], "--resume"]
  assert call(manipulate.main, *words, *more) == 0
  assert call(manipulate.main, *words, *FEW, "--resume") == 2
  assert "6 steps already and manipulate.steps is 4" in capfd.readouterr().err
  assert Manipulated.from_folder(tmp_path / "out" / "set").manifest["step"] == 6
  runs = [study / "beta-VAE" / f"seed_{seed}" for seed in (0, 1)]
  swapped = ["--entangled", runs[0], "--disentangled", runs[1], "--resume"]
  assert call(manipulate.main, *swapped, *more, "--output_dir", tmp_path / "out") == 2
  assert "REFERENCES" in capfd.readouterr().err


def test_runs_that_are_named(study, tmp_path):
  runs = [study / "beta-VAE" / f"seed_{seed}" for seed in (0, 1)]
  words = ["--entangled", runs[0], "--disentangled", runs[1], *FEW]
  assert call(manipulate.main, *words, "--output_dir", tmp_path / "out") == 0
  manifest = Manipulated.from_folder(tmp_path / "out" / "set").manifest
  assert manifest["references"]["entangled"] == [{"run": str(runs[0])}]


def test_runs_of_different_sets(study, tmp_path, capfd):
  other = tmp_path / "other"
  shutil.copytree(study / "beta-VAE" / "seed_0", other)
  path = other / "export" / "manifest.json"
  manifest = json.loads(path.read_text())
  manifest["data"]["class"] = "XYSquares"
  path.write_text(json.dumps(manifest))
  words = ["--references", study, "--entangled", other]
  assert call(manipulate.main, *words, "--output_dir", tmp_path / "out") == 2
  assert "was not trained on the data set of" in capfd.readouterr().err


@pytest.mark.parametrize("control", ["by_hand", "untrained"])
def test_controls(tmp_path, control):
  words = ["--data", "spot", "--gin_file", f"gin/adversary/{control}.gin"]
  out = ["--output_dir", tmp_path / "out", "--gin_bindings", "EPSILON=0.09"]
  assert call(manipulate.main, *words, *out) == 0
  assert Manipulated.from_folder(tmp_path / "out" / "set").epsilon == 0.09


@pytest.mark.parametrize(
  ("control", "binding"),
  [
    ("by_hand", "adversary.HandMadeManipulation.frequency=2.5"),
    ("by_hand", "adversary.HandMadeManipulation.seed=4"),
    ("untrained", "SEED=4"),
    ("untrained", "adversary.write_control.mean_square=0.45"),
    ("untrained", "adversary.mlp_manipulation.units=(7,)"),
    ("untrained", "adversary.mlp_manipulation.units_before=(7,)"),
  ],
)
def test_each_setting_of_a_control_counts_and_is_recorded(tmp_path, control, binding):
  words = ["--data", "spot", "--gin_file", f"gin/adversary/{control}.gin"]
  folders = [tmp_path / name for name in ("as_shipped", "changed")]
  assert call(manipulate.main, *words, "--output_dir", folders[0]) == 0
  changed = ["--gin_bindings", binding, "--output_dir", folders[1]]
  assert call(manipulate.main, *words, *changed) == 0
  sets = [Manipulated.from_folder(folder / "set").manifest for folder in folders]
  assert sets[0]["sha256"] != sets[1]["sha256"]
  assert binding.replace("=", " = ") in sets[1]["configuration"]


@pytest.mark.parametrize(
  ("words", "message"),
  [
    ([], "--references is missing"),
    (["--references", "STUDY", "--data", "spot"], "leave --data out"),
    (["--references", "STUDY", "--score", "sap"], "has no score 'sap'"),
    (["--references", "nowhere"], "is not a study"),
    (
      ["--entangled", "nowhere", "--disentangled", "nowhere"],
      "is not a run of bin/train",
    ),
    (["--data", "sport"], "did you mean 'spot'"),
    (["--data", "spot", "--resume"], "drop one"),
    (["--data", "spot", "--score", "sap"], "leave --score out"),
    (
      ["--references", "STUDY", "--entangled", "a", "--disentangled", "b"],
      "leave --references out",
    ),
    (
      ["--data", "spot", "--gin_bindings", "adversary.write_control.seed=1"],
      "set HandMadeManipulation.seed",
    ),
    (
      ["--references", "STUDY", "--gin_bindings", "training.Watching.profile=True"],
      "Watching.profile is for train only",
    ),
    (
      [
        *("--entangled", "STUDY/beta-VAE/seed_1"),
        *("--disentangled", "STUDY/beta-VAE/seed_0"),
        *("--gin_bindings", f"{CHOICE}.count=1"),
      ],
      "nothing here reads this setting, so it has no effect",
    ),
    (["--data", "spot", "--gin_bindings", "adversary.manipulate.steps=3"], "nothing"),
    (["--references", "STUDY", "--gin_bindings", "EPSILON=0.7"], "at most 0.49"),
    (["--references", "STUDY", "--gin_bindings", "EPSLON=0.1"], "EPSLON"),
    (
      [
        "--references",
        "STUDY",
        "--gin_bindings",
        f"{CHOICE}.count=2",
      ],
      "1 pairs compare, 2 are asked for",
    ),
  ],
)
def test_mistakes(study, tmp_path, capfd, words, message):
  words = [str(word).replace("STUDY", str(study)) for word in words]
  assert call(manipulate.main, *words, "--output_dir", tmp_path / "out") == 2
  error = capfd.readouterr().err
  assert message in error and "Traceback" not in error
  assert not (tmp_path / "out").exists()
