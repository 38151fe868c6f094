"""Every shipped run, and every model of every shipped study, takes a training step."""

import inspect
import re

import gin
import numpy as np
import pytest
import tensorflow as tf
from command_calls import COMPOSED_RUNS, run_files
from manipulated_sets import write_manipulated

from disentangle_tf import schedules, studies
from disentangle_tf.arguments import init_arguments
from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.commands.gin_files import gin_home, shipped
from disentangle_tf.data import Batches, draw_whole_set
from disentangle_tf.training.loop import StepRunner
from disentangle_tf.training.model_building import build_model

CPU_SIZE = "gin/runs/cpu_size.gin"
PARTS_OF_RUNS = {"training", "locatello", "zietlow"} | {
  name for name in shipped("runs") if name.endswith("cpu_size")
}
RUNS = [name for name in shipped("runs") if name not in PARTS_OF_RUNS]
RUNS += COMPOSED_RUNS
QUICK_STUDY = "gin/studies/mathieu_figure_4.gin"
OFTEN_COMPILED = {"locatello_annealed_vae", "mathieu_sparse"}
TWO_LATENTS = {"mathieu_pinwheel"}  # as its prior says, and small as it is
STUDIES = [
  path.relative_to(gin_home()).as_posix()
  for path in sorted(gin_home().glob("gin/studies/*.gin"))
]
TO_BE_FETCHED = {  # and the shape of their images
  **dict.fromkeys(("celeb_a", "cars3d", "shapes3d", "scream_dsprites"), (64, 64, 3)),
  **dict.fromkeys(("mpi3d_toy", "mpi3d_realistic", "mpi3d_real"), (64, 64, 3)),
  "smallnorb": (64, 64, 1),
  "fashion_mnist": (32, 32, 1),
}
# Read last; neither a model nor a network becomes another one.
TINY = """
from __gin__ import dynamic_registration
from disentangle_tf import data
from disentangle_tf import networks
import stand_in_set
UNITS = (4,)
STANDARDISATION = ((0.5,), (0.3,))
networks.mlp_discriminator.units = (4,)
data.draw_temporal_pairs.categorical = ()
data.singular_values.data = @small/data.XYSquares()
small/data.XYSquares.image_size = 16
small/data.XYSquares.grid_spacing = 2
small/data.XYSquares.num_squares = 2
small/data.XYSquares.square_size = 2
"""
_MENTION = re.compile(r"(?:gin/data/|SET=')(\w+)")
_NOT_OF_THE_STEP = re.compile(r"evaluation\.|protocols\.|measurement|Scoring|Watching")


def _read(files, folder, bindings=()):
  """The configuration, with another set where one has to be fetched."""
  mentioned = _MENTION.findall(" ".join([*files, *bindings]))[-1:]
  if not mentioned and "gin/runs/mathieu_sparse.gin" in files:
    mentioned = ["celeb_a"]
  text = TINY
  if set(mentioned) & {*TO_BE_FETCHED}:
    text += (
      "DATA = @stand_in_set.StandIn()\n"
      f"stand_in_set.StandIn.shape = {TO_BE_FETCHED[mentioned[0]]}\n"
    )
    needs_no_file = "SET='spot'"  # whatever DATA was, the stand-in takes its place
    bindings = [needs_no_file if b.startswith("SET=") else b for b in bindings]
  elif mentioned == ["manipulated"]:
    manipulated = folder / "manipulated"
    if not manipulated.exists():
      write_manipulated(manipulated)
    bindings = [*bindings, f"FOLDER = {str(manipulated)!r}"]
  tiny = folder / "tiny.gin"
  tiny.write_text(text)
  read_configuration([*files, str(tiny)], bindings)


def _kind(files, folder, bindings=()):
  """What decides which operations a step consists of: all settings but numbers."""
  _read(files, folder, bindings)
  lines = gin.config_str().splitlines()
  return frozenset(
    line
    for line in lines
    if re.search(r"= .*(@|'|True|False|None)", line)
    and not _NOT_OF_THE_STEP.search(line)
  )


def _built(bound):
  """The model of `training.train` with these arguments, compiled by Keras."""
  strategy = tf.distribute.get_strategy()
  return build_model(bound["model"], bound["optimizer"], strategy=strategy, seed=0)


def _step(bound, model, *, compiled):
  """Takes the first step of a training; all terms of the loss are finite."""
  sampling = bound["sampling"]
  whole_set = inspect.unwrap(sampling.draw) is draw_whole_set
  batches = Batches(
    bound["data"],
    batch_size=bound["batch_size"] if whole_set else 4,
    draw=sampling.draw,
    label_of=sampling.label_of,
    labelled_set=sampling.labelled_set,
  )
  model.check_batch(batches.make(0))
  if compiled:
    strategy = tf.distribute.get_strategy()
    runner = StepRunner(
      model, batches, strategy=strategy, jit_compile=True, first_step=0, last_step=1
    )
    terms = runner.run(0, 1)
  else:
    terms = model.train_step(batches.make(0))
  assert model.step == 1
  for name, value in terms.items():
    assert np.isfinite(value).all(), name


def _parts(value):
  """An object and the arguments it was made with, except networks."""
  yield value
  if type(value).__module__.startswith("disentangle_tf."):
    for part in init_arguments(value).values():
      yield from _parts(part)


def _last_change(part):
  """The step after which a schedule, or what has a threshold, stays as it is."""
  if isinstance(part, schedules.Cyclic):
    return part.period
  names = ("steps", "start", "decay_steps", "iteration_threshold")
  return max([getattr(part, name, 0) for name in names])


def _is_new(kind, seen=set()):  # noqa: B006, what all tests of this process took
  """Whether no test before took this kind of step."""
  new = kind not in seen
  seen.add(kind)
  return new


@pytest.mark.parametrize("name", RUNS)
def test_every_run_takes_a_step(name, tmp_path):
  files, bindings = run_files(name)
  if _is_new((False, _kind(files, tmp_path, bindings))):
    bound = gin.get_bindings("training.train")
    _step(bound, _built(bound), compiled=False)


@pytest.mark.parametrize(
  "name",
  [  # compiling takes seconds; the tests of the models compile each of them, too
    pytest.param(name, marks=[pytest.mark.slow] * (name not in OFTEN_COMPILED))
    for name in RUNS
    if name not in TWO_LATENTS
  ],
)
def test_every_run_takes_a_compiled_step_at_cpu_size(name, tmp_path):
  files, bindings = run_files(name)
  kind = _kind([*files, CPU_SIZE], tmp_path, bindings)
  assert gin.query_parameter("training.Computing.jit_compile")
  bound = gin.get_bindings("training.train")
  model = _built(bound)
  rate = model.optimizer._learning_rate
  assert max(map(_last_change, [rate, *_parts(model)])) <= bound["steps"]
  assert max([0, *bound["scoring"].periods]) <= bound["steps"]
  if _is_new((True, kind)):
    _step(bound, model, compiled=True)


@pytest.mark.parametrize(("steps", "threshold"), [(4000, 1333), (90, 30)])
def test_the_capacity_grows_in_a_third_of_the_steps(steps, threshold):
  files = [*COMPOSED_RUNS["locatello_annealed_vae"], CPU_SIZE]
  read_configuration(files, [f"STEPS = {steps}"])
  bound = gin.get_bindings("training.train")
  assert bound["steps"] == steps
  assert bound["model"]().iteration_threshold == threshold


@pytest.mark.parametrize(
  "file",
  [
    pytest.param(file, marks=[pytest.mark.slow] * (file != QUICK_STUDY))
    for file in STUDIES
  ],
)
def test_every_model_of_a_study_takes_a_step(file, tmp_path):
  read_configuration([file], ())
  plans = studies.Study(**gin.get_bindings("studies.Study")).plans()
  of_seed = [plan for plan in plans if plan.seed == plans[0].seed]
  for plan in of_seed:
    kind = _kind(plan.files, tmp_path, plan.bindings)
    compiled = "training.Computing.jit_compile = True" in kind
    if _is_new((compiled, kind)):
      bound = gin.get_bindings("training.train")
      _step(bound, _built(bound), compiled=compiled)
