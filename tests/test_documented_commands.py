"""The commands and programs of the documents do what a reader expects of them."""

import re
import shlex
import shutil

import numpy as np
import pytest
from command_calls import MIG_ALONE, ROOT, binding_flags
from dlib_files import write_dlib_model
from documented_commands import (
  DOCUMENTS,
  PROGRAMS,
  Call,
  blocks,
  check_call,
  lay_out,
  parsed_flags,
  recorded_calls,
  run_call,
)

# Programs that are none of ours, or that make an environment: {program: reason}.
NOT_RUN_HERE = {
  "bin/demo": "installs an environment; tests/commands/test_demo.py runs what it calls",
  "bin/test": "installs an environment and runs this very test",
  "tensorboard": "is a server that does not end",
  "kubectl": "needs a cluster",
}
# Commands of ours that are parsed, but not run to their end: {pattern: reason}.
PARSED_ONLY = {
  r"bin/prepare_data\.py (prepare|check) shapes3d": "needs a download",
}
# Loops that tests leave after their first round: {document: [(text, shorter text)]}.
ONE_ROUND = {
  "docs/results.md": [
    ("for steps in 300 2000;", "for steps in 300;"),
    ("for seed in 0 1 2;", "for seed in 0;"),
    ("for beta in 0.001 0.003 0.01 0.03 0.1 0.3;", "for beta in 0.1;"),
  ],
  "docs/results/michlo/figure_4/README.md": [
    ("for seed in 10 11 12 13 14;", "for seed in 0;"),
  ],
}

_TINY = ("STEPS=2", "BATCH_SIZE=8", "training.Computing.jit_compile=False")
_FEW_POINTS = ("evaluation.evaluate.num_points=60",)
_FEW_TEST_POINTS = (*_FEW_POINTS, "evaluation.evaluate.num_test_points=60")
_FEW_BATCHES = (
  *("metrics.beta_vae_score.num_train=20", "metrics.beta_vae_score.num_eval=20"),
  *("metrics.factor_vae_score.num_train=20", "metrics.factor_vae_score.num_eval=20"),
  "metrics.downstream_task.sizes=(10, 20)",
  "metrics.downstream_task.efficiency_sizes=(10, 20)",
)
_REFERENCE = r"runs/\1references/original/beta-VAE/seed_"


def _study_of(*bindings, seeds=1, **fields):
  """Flags that make a study small: {field of studies.Study: value}."""
  fields = {"bindings": [*_TINY, *bindings], "seeds": seeds, **fields}
  fields = [f"studies.Study.{name}={value!r}" for name, value in fields.items()]
  return ["--slots", "1", *binding_flags(*fields)]


_PCL = ["gin/models/pcl.gin", "gin/runs/zietlow.gin", "gin/runs/zietlow_cpu_size.gin"]
_LEARNED = {
  "files": ["gin/data/manipulated.gin"],
  "settings": {"FOLDER": "runs/zietlow/learned_3/set"},
}
# How commands are made small: {pattern: further flags}. All that fit are added.
SMALLER = {
  r"^bin/train\.py": binding_flags(*_TINY),
  r"^bin/train\.py.*runs/scored": binding_flags(
    'training.Scoring.every={"mig": 1, "dci": 2}'
  ),
  r"^bin/evaluate\.py(?!.*scan_only)": binding_flags(*_FEW_TEST_POINTS),
  r"^bin/evaluate\.py.*--protocol fast": binding_flags('metrics.dci.predictor="svm"'),
  r"^bin/evaluate\.py.*--protocol locatello(_appendix)?": binding_flags(*_FEW_BATCHES),
  r"^bin/perceive\.py.*data/dsprites\.gin": [
    *("--gin_file", "gin/data/dsprites_small.gin")
  ],
  r"^bin/perceive\.py.*(data/xysquares\.gin|figure_8)": binding_flags(
    *("data.XYSquares.image_size=16", "data.XYSquares.square_size=2"),
    *("data.XYSquares.grid_spacing=2", "data.XYSquares.num_squares=2"),
  ),
  r"^bin/perceive\.py.*figure_8": binding_flags(
    'perceived.perceive.others={"1 px": @spacing_1/data.XYSquares()}'
  ),
  r"^bin/study\.py --gin_file.*michlo_figure_10\.gin": _study_of(),
  r"^bin/study\.py --gin_file.*michlo_figure_9\.gin": _study_of(
    sweep={"data.XYSquares.grid_spacing": [1, 2, 3], "BETA": [0.1]},
    runs={"beta-VAE": ["gin/runs/demo_spacing.gin"]},
  ),
  r"^bin/study\.py --gin_file.*michlo_figure_11\.gin": _study_of(
    runs={
      "beta-VAE, MSE": {
        "files": ["gin/runs/demo_mse.gin"],
        "sweep": {"BETA": [0.001]},
      }
    }
  ),
  r"^bin/study\.py --gin_file.*michlo_figure_9_beta_vae\.gin": _study_of(
    sweep={"data.XYSquares.grid_spacing": [1, 2, 3], "BETA": [0.1]}
  ),
  r"^bin/study\.py --gin_file.*michlo_full_size\.gin": _study_of(
    "training.Scoring.every={'mig': 2, 'dci': 9}",
    sweep={"BETA": [0.1]},
    runs={
      "MSE": ["gin/runs/michlo.gin", "gin/models/ada_gvae.gin"],
    },
  ),
  r"^bin/study\.py --gin_file.*michlo_other_sets\.gin": _study_of(
    sweep={"BETA": [0.1]}, data={"spot": ["gin/data/spot.gin"]}
  ),
  r"^bin/study\.py --gin_file.*michlo_figure_4\.gin": _study_of(
    files=["gin/data/dsprites_small.gin"]
  ),
  r"^bin/study\.py --gin_file.*locatello_miniature\.gin": _study_of(
    data={"dsprites": ["gin/data/dsprites_small.gin"]},
    metrics="fast",
    runs={"beta-VAE": ["gin/models/beta_vae.gin", "gin/runs/locatello.gin"]},
    sweep={"BETA": [1.0]},
    plots=[],
  ),
  r"^bin/study\.py --gin_file.*zietlow_controls\.gin": _study_of(
    runs={"PCL": _PCL}, data={"learned_3": _LEARNED}
  ),
  r"^bin/study\.py --gin_file.*zietlow_figure_5\.gin": _study_of(
    runs={"PCL": _PCL}, data={"learned_3": _LEARNED}, plots=[]
  ),
  r"^bin/study\.py --gin_file.*mathieu_sparsity\.gin": _study_of(plots=[]),
  r"^bin/study\.py --gin_file.*mathieu_figure_3\.gin": _study_of(plots=[]),
  r"^bin/study\.py --gin_file.*mathieu_priors\.gin": _study_of(plots=[]),
  r"^bin/study\.py --gin_file.*mathieu_figure_2\.gin": _study_of(sweep={"BETA": [1.0]}),
  r"^bin/study\.py --gin_file.*mathieu_figure_2_student_t\.gin": _study_of(
    sweep={"DEGREES_OF_FREEDOM": [3.0, 5.0]}
  ),
  r"^bin/study\.py --gin_file.*zietlow_references\.gin": _study_of(
    seeds=2, metrics="mig.gin"
  ),
  r"^bin/study\.py --gin_file.*zietlow_references\.gin.*mine.npz": binding_flags(
    f"studies.Study.bindings={['LATENTS=3', *_TINY]}"
  ),
  r"^bin/study\.py --gin_file.*zietlow_references\.gin.*dsprites": binding_flags(
    f"studies.Study.bindings={['LATENTS=5', 'BETA=2.0', *_TINY]}"
  ),
  r"^bin/study\.py --gin_file.*zietlow_table_1\.gin": _study_of(runs={"PCL": _PCL}),
  r"^bin/manipulate\.py --references": binding_flags(
    "STEPS=2", "adversary.manipulate.jit_compile=False"
  ),
}


def _write_module(folder):
  (folder / "mine.py").write_text(
    "from disentangle_tf.data import XYSquares\n\n\n"
    "class MySquares(XYSquares):\n"
    "  def __init__(self, image_size=16):\n"
    "    sizes = {'square_size': 2, 'grid_spacing': 2, 'num_squares': 2}\n"
    "    super().__init__(image_size=image_size, **sizes)\n"
  )


def _write_images(folder):
  """An npz with three factors, of four values each."""
  factors = np.indices((4, 4, 4)).reshape(3, -1).T
  images = np.zeros((64, 16, 16), np.float32)
  for image, (x, y, light) in zip(images, factors, strict=True):
    image[4 * y : 4 * y + 4, 4 * x : 4 * x + 4] = (light + 1) / 4
  np.savez(folder / "mine.npz", images=images, factors=factors)


def _write_published(folder):
  for index in (0, 50):
    write_dlib_model(folder / "downloaded", index)


def _copy_results(folder):
  """The committed scores of figure 11."""
  place = "docs/results/michlo/figure_11"
  shutil.copytree(ROOT / place, folder / place)


def _copy_tour(*places):
  """A preparation that copies the run of the README's tour, or its export."""

  def copy(folder, tour):
    for place in places:
      source = tour / "export" if place.split("/")[0] != "runs" else tour
      shutil.copytree(source, folder / place)

  return copy


# What a reader has before a document's first command: {document: preparations}.
PREPARED = {
  "README.md": [_copy_tour("THEIR/model")],
  "CONTRIBUTING.md": [_write_module],
  "docs/adversary.md": [_write_images],
  "docs/data.md": [_write_images],
  "docs/evaluating.md": [_copy_tour("MODEL", "A/export", "B/seed_0/export")],
  "docs/metrics.md": [_copy_tour("runs/tour")],
  "docs/perceiving.md": [_copy_tour("runs/tour")],
  "docs/papers.md": [_copy_results],
  "docs/studies.md": [_write_published, _copy_results],
}
# Data that fits the model above, where the document's own is of another size.
INSTEAD = {
  r"--data dsprites\b": "--data xysquares_small",
  # Named references, since no model of two steps has disentangled any.
  r"--references runs/(\w*)references": (
    f"--entangled {_REFERENCE}0 --disentangled {_REFERENCE}1"
  ),
}


@pytest.fixture(scope="module")
def tour(tmp_path_factory):
  """The folder of the README's run after two steps."""
  folder = tmp_path_factory.mktemp("tour")
  lay_out(folder)
  (call,) = [
    call
    for block in blocks("README.md", "sh")
    for call in recorded_calls(block, folder)
    if "runs/tour" in call.words and call.program == "bin/train.py"
  ]
  assert run_call(call, folder, SMALLER[r"^bin/train\.py"]) == 0
  return folder / "runs" / "tour"


@pytest.fixture
def folder(tmp_path, monkeypatch):
  """A temporary folder that looks like the repository, and the current one."""
  lay_out(tmp_path)
  (tmp_path / "mig.gin").write_text(MIG_ALONE)
  monkeypatch.chdir(tmp_path)
  monkeypatch.syspath_prepend(tmp_path)
  return tmp_path


def _calls(file, folder, **options):
  return [
    call
    for block in blocks(file, "sh")
    for call in recorded_calls(block, folder, **options)
  ]


WITH_COMMANDS = [file for file in DOCUMENTS if blocks(file, "sh")]
WITH_PYTHON = [file for file in DOCUMENTS if blocks(file, "python")]


def _check(calls):
  for call in calls:
    if call.program not in NOT_RUN_HERE:
      assert (ROOT / call.program).is_file(), call.text
      if call.program.startswith("bin/"):
        check_call(call)


@pytest.mark.parametrize("file", WITH_COMMANDS + PROGRAMS)
def test_every_command_has_flags_files_and_settings_that_exist(file, folder):
  if _write_module in PREPARED.get(file, ()):
    _write_module(folder)
  calls = _calls(file, folder)
  assert calls
  _check(calls)


@pytest.mark.parametrize("file", DOCUMENTS)
def test_every_command_within_a_sentence_is_well_formed(file, folder):
  for block in blocks(file, "inline"):
    _check(recorded_calls(block, folder))


def test_the_tables_speak_of_commands_that_are_documented(folder):
  _write_module(folder)
  calls = [call for file in WITH_COMMANDS for call in _calls(file, folder)]
  assert {call.program for call in calls} >= set(NOT_RUN_HERE)
  texts = [call.text for call in calls]
  for pattern in (*PARSED_ONLY, *SMALLER, *INSTEAD):
    assert any(re.search(pattern, text) for text in texts), pattern
  for file, pairs in ONE_ROUND.items():
    written = "".join(block.text for block in blocks(file, "sh"))
    assert all(loop in written for loop, _ in pairs), file
  assert set(PREPARED) <= set(WITH_COMMANDS)


def test_the_tour_of_the_readme(folder, tour):
  """Train, load the export without our code, score it."""
  shutil.copytree(tour, folder / "runs" / "tour")
  (block,) = (b for b in blocks("README.md", "python") if "saved_model" in b.text)
  names = {}
  exec(compile(block.text, "README.md", "exec"), names)
  assert names["codes"].shape[0] == 1
  calls = [
    call for call in _calls("README.md", folder) if "--protocol fast" in call.text
  ]
  _run(calls[0], folder)
  assert (folder / "runs" / "tour" / "scores" / "report.html").is_file()


def _run(call, folder):
  """Runs a call, made small, and looks for what it was to write."""
  further = [
    word
    for pattern, words in SMALLER.items()
    if re.search(pattern, call.text)
    for word in words
  ]
  for pattern, other in INSTEAD.items():
    words = shlex.split(re.sub(pattern, other, call.text))
    call = Call(call.block, tuple(words))
  code = run_call(call, folder, further)
  # A study that another command has not finished says so by its exit code.
  unfinished = call.words[:2] == ("bin/study.py", "status")
  assert code == 0 or (unfinished and code == 1), (code, call.text)
  values, _ = parsed_flags(call)
  output_dir = values["output_dir"].value if "output_dir" in values else None
  if output_dir:
    assert any((folder / output_dir).iterdir()), call.text


@pytest.mark.slow
@pytest.mark.parametrize("file", WITH_COMMANDS)
def test_every_command_runs_to_its_end(file, folder, tour):
  for prepare in PREPARED.get(file, ()):
    prepare(folder, tour) if prepare.__name__ == "copy" else prepare(folder)
  for block in blocks(file, "sh"):
    for call in recorded_calls(block, folder, shorter=ONE_ROUND.get(file, ())):
      skipped = any(re.search(pattern, call.text) for pattern in PARSED_ONLY)
      if call.program not in NOT_RUN_HERE and not skipped:
        _run(call, folder)
