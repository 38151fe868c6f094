"""How cost grows: one curve of CPU seconds per quantity, with its exponent.

CPU seconds are medians of measurements in turn.
"""

import math
import pathlib
import tempfile

import numpy as np
from interleaved import in_turn, summary, timed
from power_law import fit
from standard_models import conv_model, step_taker, timed_steps
from study_engine import finish, make_study

from disentangle_tf import losses, metrics
from disentangle_tf.data import XYSquares
from disentangle_tf.perceived import factor_importance
from disentangle_tf.studies.collect import collect
from disentangle_tf.studies.folders import StudyFolder


def squares(side):
  """XYSquares of any size, with squares of an eighth of its side."""
  return XYSquares(image_size=side, square_size=side // 8, grid_spacing=side // 8)


def training_steps(*, sizes, quick, **given):
  """{size: function that times steps}, of `given` with one argument varied."""
  steps = 1 if quick else 4

  def make(size):
    settings = {"side": 64, "batch_size": 64, "latents": 10, "loss": losses.MSE()}
    settings |= {name: vary(size) for name, vary in given.items()}
    data = squares(settings["side"])
    model = conv_model(data, loss=settings["loss"], latents=settings["latents"])
    model_step = step_taker(model, data, batch_size=settings["batch_size"])
    return timed_steps(model_step, steps, warm_up=1)

  return {size: make(size) for size in sizes}


def overlap_steps(*, sizes, quick):
  def loss(side):
    return losses.Overlap(losses.MSE(), losses.box_kernel(side // 2 - 1))

  return training_steps(sizes=sizes, quick=quick, side=int, loss=loss)


METRICS = {
  "MIG": metrics.mig,
  "SAP": lambda *table: metrics.sap(*table, *table),
  "DCI, LightGBM": lambda *table: metrics.dci_lightgbm(*table, *table),
}


def metric_calls(*, sizes, metric, latents=10):
  """{number of points: function that times the metric}."""
  rng = np.random.default_rng(0)

  def make(size):
    factors = rng.integers((3, 6, 40, 32, 32), size=(size, 5))
    codes = rng.normal(size=(size, latents)).astype(np.float32)
    codes[:, :5] += factors
    return timed(lambda: metric(codes, factors))

  return {size: make(size) for size in sizes}


def exact_distances(*, sizes):
  """{number of images: function}: exact perceived distances of dense grids."""
  found = {}
  for places in sizes:
    side = 64 // places
    data = XYSquares(square_size=side, grid_spacing=side, num_squares=2)
    found[data.factors.num_points] = timed(
      lambda data=data: factor_importance(data, losses.MSE(), num_pairs=100)
    )
  return found


def studies(*, sizes, folder):
  """({runs: function that plans}, {runs: function that collects finished runs})."""
  plan, gather = {}, {}
  for size in sizes:
    seeds = math.ceil(size / 252)
    study = StudyFolder(pathlib.Path(folder) / str(size))
    study.path.mkdir()
    plans = make_study(seeds=seeds).plans()
    study.write_plans(plans)
    for each in plans:
      finish(each, study.run(each).path)
    plan[len(plans)] = timed(lambda seeds=seeds: make_study(seeds=seeds).plans())
    gather[len(plans)] = timed(lambda study=study, plans=plans: collect(study, plans))
  return plan, gather


def curve(name, quantity, variants, rounds):
  """The row of one curve."""
  for variant in variants.values():
    if rounds > 1:
      variant()
  times = in_turn(variants, rounds)
  seconds = {
    size: summary([each["cpu"] for each in taken])["median"]
    for size, taken in times.items()
  }
  return {"name": name, "quantity": quantity, **fit(seconds), "cpu_seconds": seconds}


def measure(quick):
  rounds = 1 if quick else 3
  steps = {"quick": quick}
  sides = (32, 64) if quick else (16, 32, 64, 128)
  batches = (32, 64) if quick else (32, 64, 128, 256)
  latents = (10, 40) if quick else (5, 10, 20, 40, 80)
  points = (1_000, 4_000) if quick else (2_500, 5_000, 10_000, 20_000, 40_000)
  places = (4, 8) if quick else (4, 8, 16)
  runs = (252, 504) if quick else (1_512, 3_024, 6_048, 12_600)
  found = [
    curve(
      "training step, MSE",
      "side of the image",
      training_steps(sizes=sides, side=int, **steps),
      rounds,
    ),
    curve(
      "training step, overlap",
      "side of the image",
      overlap_steps(sizes=sides, **steps),
      rounds,
    ),
    curve(
      "training step, MSE",
      "batch size",
      training_steps(sizes=batches, batch_size=int, **steps),
      rounds,
    ),
    curve(
      "training step, MSE",
      "latents",
      training_steps(sizes=latents, latents=int, **steps),
      rounds,
    ),
  ]
  for name, metric in METRICS.items():
    variants = metric_calls(sizes=points, metric=metric)
    found.append(curve(name, "points", variants, rounds))
  variants = exact_distances(sizes=places)
  found.append(curve("exact distances", "images of the set", variants, rounds))
  with tempfile.TemporaryDirectory() as folder:
    plan, gather = studies(sizes=runs, folder=folder)
    found.append(curve("plan of a study", "runs", plan, 1))
    found.append(curve("table of a study", "runs", gather, 1))
  return {"rows": found}
