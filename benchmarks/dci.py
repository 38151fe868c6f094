"""Seconds that DCI takes, compared with scikit-learn; prints one JSON line.

  python benchmarks/dci.py [--points 10000] [--stages 100] [--rounds 3]

Settings are those of Locatello et al. on dSprites' factors: 10 latents, 10,000 points,
and half that number of test points. Each variant runs in a separate process:

- `stock` fits scikit-learn's classifier to each factor in turn, as disentanglement_lib
- `exact` is `dci`
- `fast` is `dci_lightgbm`

The variants are measured in turn. A ratio is one of medians over the rounds; its spread
is the smallest and largest ratio of a round.

- `core_wait`: seconds that a working thread waited for a core used by others
- `ratios`: wall seconds without this wait, so that a busy machine gives about the
  ratios of an idle one
- `wall_ratios`: wall seconds
- `cpu_ratios`: CPU seconds
- `largest_difference`: of the scores from those of `stock`; for `exact` also of the
  importances
"""

import contextlib
import functools
import glob
import json
import os
import subprocess
import sys
import threading
import time

import numpy as np
from absl import app, flags
from interleaved import in_turn, median_seconds, ratios

POINTS = flags.DEFINE_integer("points", 10_000, "Points to fit.")
ROUNDS = flags.DEFINE_integer("rounds", 3, "How often each is measured.")
STAGES = flags.DEFINE_integer("stages", 100, "Stages of boosting; fewer for a trial.")
ONLY = flags.DEFINE_string("only", None, "Measure this one, in this process.")
SIZES = (3, 6, 40, 32, 32)
NUM_LATENTS = 10


def draw_points(count, rng):
  """Draw codes whose latent j is factor j with a little noise; the rest are noise."""
  factors = rng.integers(SIZES, size=(count, len(SIZES)))
  codes = 0.05 * rng.normal(size=(count, NUM_LATENTS))
  scaled = (factors - factors.mean(axis=0)) / factors.std(axis=0)
  codes[:, : len(SIZES)] = scaled + 0.1 * rng.normal(size=scaled.shape)
  return codes.astype(np.float32), factors


def stock(codes, factors, test_codes, test_factors):
  from sklearn.ensemble import GradientBoostingClassifier

  from disentangle_tf.metrics._dci import DCIFit

  parts = []
  seeds = np.random.default_rng(0).integers(2**31, size=len(SIZES))  # those of `dci`
  for factor, test_factor, seed in zip(factors.T, test_factors.T, seeds, strict=True):
    model = GradientBoostingClassifier(random_state=seed, n_estimators=STAGES.value)
    model.fit(codes, factor)
    accuracies = model.score(codes, factor), model.score(test_codes, test_factor)
    parts.append((model.feature_importances_, *accuracies))
  importance, train, test = (np.array(part) for part in zip(*parts, strict=True))
  return DCIFit(importance.T, train, test)


def exact(*points):
  from disentangle_tf.metrics import dci_fit
  from disentangle_tf.metrics.parts import boosted_trees

  boosted_trees.SideBySideBoosting.__init__.__kwdefaults__["n_estimators"] = (
    STAGES.value
  )
  return dci_fit(*points)


def fast(*points):
  from disentangle_tf.metrics import dci_fit

  return dci_fit(*points, predictor="lightgbm")


class CoreWaits(threading.Thread):
  """Seconds that each thread of this process waits for a core.

  The threads are polled, because they no longer exist when a fit returns.
  """

  def __init__(self):
    super().__init__(daemon=True)
    self.before = self._look()
    self.after = {}
    self._over = threading.Event()

  def run(self):
    while not self._over.wait(0.2):
      self.after.update(self._look())

  def stop(self):
    """Return the seconds of each thread, in ascending order."""
    self._over.set()
    self.after.update(self._look())
    return sorted(s - self.before.get(path, 0.0) for path, s in self.after.items())

  def _look(self):
    waits = {}
    for path in glob.glob("/proc/self/task/*/schedstat"):
      with contextlib.suppress(OSError), open(path) as file:
        waits[path] = int(file.read().split()[1]) / 1e9
    return waits


def measure(name):
  """Return {"wall", "cpu", "core_wait", "scores", "importance"} of one function."""
  from disentangle_tf.metrics._dci import completeness, disentanglement

  rng = np.random.default_rng(0)
  points = draw_points(POINTS.value, rng) + draw_points(POINTS.value // 2, rng)
  waits = CoreWaits()
  waits.start()
  started, cpu = time.perf_counter(), time.process_time()
  fit = globals()[name](*points)
  wall, cpu = time.perf_counter() - started, time.process_time() - cpu
  # `stock` has one working thread; of the two of the others take the shorter wait.
  core_wait = waits.stop()[-1 if name == "stock" else -2]
  return {
    "wall": round(wall, 1),
    "cpu": round(cpu, 1),
    "core_wait": round(core_wait, 1),
    "scores": [
      disentanglement(fit.importance),
      completeness(fit.importance),
      float(fit.informativeness_train.mean()),
      float(fit.informativeness_test.mean()),
    ],
    "importance": fit.importance.tolist(),
  }


def measure_alone(name):
  """Run `measure` in a separate process; add "net", wall seconds without the wait."""
  command = [sys.executable, __file__, f"--only={name}", f"--points={POINTS.value}"]
  done = subprocess.run(
    [*command, f"--stages={STAGES.value}"], stdout=subprocess.PIPE, check=True
  )
  result = json.loads(done.stdout.splitlines()[-1])
  return {**result, "net": result["wall"] - result["core_wait"]}


def main(_):
  if ONLY.value:
    print(json.dumps(measure(ONLY.value)))
    return
  names = ("stock", "exact", "fast")
  variants = {name: functools.partial(measure_alone, name) for name in names}
  print(json.dumps(compare(in_turn(variants, ROUNDS.value))))


def compare(results):
  """Return speed-ups over "stock" and score differences of the first round."""
  lines = {"cores": os.cpu_count(), "rounds": ROUNDS.value}
  clocks = {"ratios": "net", "wall_ratios": "wall", "cpu_ratios": "cpu"}
  lines |= {key: speed_ups(results, clock) for key, clock in clocks.items()}
  seconds = {key: median_seconds(results, key) for key in ("wall", "cpu", "core_wait")}
  base = results["stock"][0]
  for name, (result, *_) in results.items():
    lines[name] = {key: found[name] for key, found in seconds.items()}
    apart = np.abs(np.subtract(result["scores"], base["scores"])).max()
    lines[name]["largest_difference"] = {"scores": round(apart, 5)}
    if name == "exact":
      apart = np.abs(np.subtract(result["importance"], base["importance"])).max()
      lines[name]["largest_difference"]["importances"] = round(apart, 5)
  return lines


def speed_ups(results, clock):
  """Return {name: speed-up over "stock"}."""
  stock = results["stock"]
  return {
    name: ratios({name: taken, "stock": stock}, name, clock)["stock"]
    for name, taken in results.items()
    if name != "stock"
  }


if __name__ == "__main__":
  app.run(main)
