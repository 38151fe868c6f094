"""Seconds that DCI takes, compared with scikit-learn.

Settings are those of Locatello et al. on dSprites' factors: 10 latents, 10,000 points,
and half that number of test points, but fewer stages of boosting than their 100: their
cost is the same for each stage. Each variant runs in a separate process:

- `scikit-learn` fits its classifier to each factor in turn, as disentanglement_lib
- `dci`
- `dci_lightgbm`

`core_wait` are the seconds that a working thread waited for a core used by others.
`net_ratio` is of wall seconds without this wait, so that a busy machine gives about the
ratios of an idle one. `largest_difference` is that of scores and importances from those
of scikit-learn.
"""

import contextlib
import functools
import glob
import json
import sys
import threading
import time

import numpy as np
from command_costs import cost_of_python
from interleaved import in_turn, ratios, rows

PEER = "scikit-learn"
SIZES = (3, 6, 40, 32, 32)
NUM_LATENTS = 10


def draw_points(count, rng):
  """Draw codes whose latent j is factor j with a little noise; the rest are noise."""
  factors = rng.integers(SIZES, size=(count, len(SIZES)))
  codes = 0.05 * rng.normal(size=(count, NUM_LATENTS))
  scaled = (factors - factors.mean(axis=0)) / factors.std(axis=0)
  codes[:, : len(SIZES)] = scaled + 0.1 * rng.normal(size=scaled.shape)
  return codes.astype(np.float32), factors


def stock(stages, codes, factors, test_codes, test_factors):
  from sklearn.ensemble import GradientBoostingClassifier

  from disentangle_tf.metrics._dci import DCIFit

  parts = []
  seeds = np.random.default_rng(0).integers(2**31, size=len(SIZES))  # those of `dci`
  for factor, test_factor, seed in zip(factors.T, test_factors.T, seeds, strict=True):
    model = GradientBoostingClassifier(random_state=seed, n_estimators=stages)
    model.fit(codes, factor)
    accuracies = model.score(codes, factor), model.score(test_codes, test_factor)
    parts.append((model.feature_importances_, *accuracies))
  importance, train, test = (np.array(part) for part in zip(*parts, strict=True))
  return DCIFit(importance.T, train, test)


def exact(stages, *points):
  from disentangle_tf.metrics import dci_fit
  from disentangle_tf.metrics.parts import boosted_trees

  boosted_trees.SideBySideBoosting.__init__.__kwdefaults__["n_estimators"] = stages
  return dci_fit(*points)


def fast(stages, *points):
  from disentangle_tf.metrics import dci_fit

  del stages  # always LightGBM's 100
  return dci_fit(*points, predictor="lightgbm")


VARIANTS = {PEER: stock, "dci": exact, "dci_lightgbm": fast}


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


def measure_variant(name, points, stages):
  """Return {"wall", "cpu", "core_wait", "scores", "importance"} of one variant."""
  from disentangle_tf.metrics._dci import completeness, disentanglement

  rng = np.random.default_rng(0)
  drawn = draw_points(points, rng) + draw_points(points // 2, rng)
  waits = CoreWaits()
  waits.start()
  started, cpu = time.perf_counter(), time.process_time()
  fit = VARIANTS[name](stages, *drawn)
  wall, cpu = time.perf_counter() - started, time.process_time() - cpu
  # scikit-learn has one working thread; of the two of the others take the shorter wait.
  core_wait = waits.stop()[-1 if name == PEER else -2]
  return {
    "wall": wall,
    "cpu": cpu,
    "core_wait": core_wait,
    "net": wall - core_wait,
    "scores": [
      disentanglement(fit.importance),
      completeness(fit.importance),
      float(fit.informativeness_train.mean()),
      float(fit.informativeness_test.mean()),
    ],
    "importance": fit.importance.tolist(),
  }


def measure(quick):
  points, stages, rounds = (1000, 5, 1) if quick else (10_000, 10, 3)

  def in_new_process(name):
    cost = cost_of_python(__file__, name, points, stages)
    return json.loads(cost.output.splitlines()[-1])

  variants = {name: functools.partial(in_new_process, name) for name in VARIANTS}
  results = in_turn(variants, rounds)
  found = rows(results, base=PEER, unit="fit")
  net = ratios(results, PEER, "net")
  peer = results[PEER][0]
  for row in found[1:]:
    ours = results[row["name"]][0]
    row["net_ratio"] = net[row["name"]]
    row["largest_difference"] = {
      key: round(float(np.abs(np.subtract(ours[key], peer[key])).max()), 5)
      for key in ("scores", "importance")
    }
  facts = {"points": points, "stages": stages}
  return {"rows": found, "facts": facts}


if __name__ == "__main__":
  print(json.dumps(measure_variant(sys.argv[1], *map(int, sys.argv[2:]))))
