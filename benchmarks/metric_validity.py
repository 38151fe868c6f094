"""Response of each metric to noisy, rotated, redundant and random codes.

Follows Carbonneau et al. 2022, "Measuring Disentanglement: A Review of Metrics". Prints
the Markdown table of docs/metrics.md: scores as a flaw grows, mean over seeds.

  python benchmarks/metric_validity.py
"""

import argparse
import functools

import numpy as np

from disentangle_tf import metrics
from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.scoring import CodesTable, Measurement

SPACE = FactorSpace(("a", "b", "c"), (8, 8, 8))
LEVELS = (0.0, 0.25, 0.5, 1.0)
STEP = 0.02  # smaller decreases count as chance


def measurements(num_points):
  """Yield (measurement, the names of its scores to show)."""
  few = {"num_points": num_points // 8, "num_test_points": num_points // 16}
  many = {"num_points": num_points, "num_test_points": num_points // 2}
  quick = {"num_train": 1000, "num_eval": 500}
  beta_vae = functools.partial(metrics.beta_vae_score, **quick)
  factor_vae = functools.partial(metrics.factor_vae_score, **quick)
  for metric in (beta_vae, factor_vae):
    metric.__name__ = metric.func.__name__
  yield Measurement(metrics.mig, **many), ["mig"]
  yield Measurement(metrics.mig_sup, **many), ["mig_sup"]
  yield Measurement(metrics.rmig, **many), ["rmig"]
  yield Measurement(metrics.jemmig, **many), ["jemmig"]
  yield Measurement(metrics.dcimig, **many), ["dcimig"]
  yield Measurement(metrics.modularity, **many), ["modularity"]
  yield Measurement(metrics.explicitness, **many), ["explicitness_test"]
  yield Measurement(metrics.sap, **many), ["sap"]
  yield Measurement(metrics.irs, **many), ["irs"]
  yield Measurement(metrics.mcc, **many), ["mcc"]
  yield Measurement(metrics.infomec, **few), ["infom", "infoe", "infoc"]
  yield (
    Measurement(metrics.dci, **few),
    ["disentanglement", "completeness", "informativeness_test"],
  )
  yield Measurement(metrics.dci_es, **many), ["dci_explicitness", "dci_size"]
  yield Measurement(beta_vae), ["eval_accuracy"]
  yield Measurement(factor_vae), ["eval_accuracy"]
  yield Measurement(metrics.z_max_variance), ["eval_accuracy"]
  yield Measurement(metrics.axis_ratios), ["axis_ratio", "linear_ratio"]
  yield Measurement(metrics.flatness), ["flatness"]


def perfect(rng):
  """Return the factors of the whole set as codes, scaled to [-1, 1]."""
  del rng
  return SPACE.to_factors(np.arange(SPACE.num_points)) / 3.5 - 1


def noisy(level, rng):
  """Add noise; at level 1 it has the variance of the factors."""
  codes = perfect(rng)
  return codes + level * codes.std() * rng.standard_normal(codes.shape)


def rotated(level, rng):
  """Rotate each pair of latents, by 45 degrees at level 1."""
  codes, angle = perfect(rng), level * np.pi / 4
  for first, second in ((0, 1), (1, 2)):
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    codes[:, [first, second]] = codes[:, [first, second]] @ turn
  return codes


def redundant(level, rng):
  """Add a second latent for each factor; at level 1 it is as precise as the first."""
  codes = perfect(rng)
  noise = rng.standard_normal(codes.shape) * codes.std()
  return np.concatenate([codes, level * codes + (1 - level) * noise], axis=1)


def random(rng):
  return rng.standard_normal((SPACE.num_points, len(SPACE)))


FLAWS = {"noise": noisy, "rotation": rotated, "redundancy": redundant}


def main():
  parser = argparse.ArgumentParser(description=__doc__)
  parser.add_argument("--seeds", type=int, default=3)
  parser.add_argument("--num_points", type=int, default=4000)
  arguments = parser.parse_args()
  print("| metric | perfect | random | noise | rotation | redundancy | sees |")
  print("|---|---|---|---|---|---|---|")
  for measurement, names in measurements(arguments.num_points):
    measure = functools.partial(_measure, measurement, arguments.seeds)
    ends = [measure(perfect), measure(random)]
    flaws = {
      flaw: [measure(functools.partial(make, level)) for level in LEVELS]
      for flaw, make in FLAWS.items()
    }
    for name in names:
      print(_row(measurement.name, name, ends, flaws), flush=True)


def _row(metric, name, ends, flaws):
  curves = {flaw: [one[name] for one in scores] for flaw, scores in flaws.items()}
  cells = [
    metric if name in (metric, "eval_accuracy") else f"{metric} {name}",
    *(f"{scores[name]:.2f}" for scores in ends),
    *(" ".join(f"{value:.2f}" for value in values) for values in curves.values()),
    ", ".join(flaw for flaw, values in curves.items() if _falls(values)) or "none",
  ]
  return f"| {' | '.join(cells)} |"


def _measure(measurement, seeds, make):
  """Return the scores of the codes from `make(rng=...)`, mean over seeds."""
  each = []
  for seed in range(seeds):
    codes = make(rng=np.random.default_rng(seed)).astype(np.float32)
    each.append(measurement.scores(CodesTable(codes, SPACE), seed=seed))
  return {name: float(np.mean([one[name] for one in each])) for name in each[0]}


def _falls(values):
  """Return whether the values fall monotonically, and by more than chance."""
  steps = np.diff(values)
  return bool((steps < STEP).all() and values[-1] < values[0] - 2 * STEP)


if __name__ == "__main__":
  main()
