"""Seconds and memory of exact perceived distances, beside rendering the set.

Measures all pairs of the set that differ in one factor, under MSE. Each set runs in a
separate process, whose peak memory includes TensorFlow's own.
"""

import json
import resource
import sys

from command_costs import cost_of_python

SETS = ("dsprites", "dsprites_small", "xysquares")


def measure(quick):
  found, facts = [], {}
  for name in SETS[1:2] if quick else SETS:
    rounds = 2 if name == "dsprites_small" else 1
    cost = cost_of_python(__file__, name, rounds)
    result = json.loads(cost.output.splitlines()[-1])
    found += result["rows"]
    facts[name] = result["means"]
  return {"rows": found, "facts": facts}


def measure_set(name, rounds):
  """{"rows": of rendering and of the distances, "means": {factor: mean distance}}."""
  from interleaved import in_turn, rows, timed

  from disentangle_tf.data.known_sets import KNOWN_SETS
  from disentangle_tf.losses import MSE
  from disentangle_tf.perceived import factor_importance

  data = KNOWN_SETS[name].make()
  distances = []

  def render():
    for _ in data.in_order(256):
      pass

  def exact():
    distances.append(factor_importance(data, MSE(), num_pairs=1000))

  rendered, measured = f"{name}: rendered once", f"{name}: exact distances"
  times = in_turn({rendered: timed(render), measured: timed(exact)}, rounds)
  found = rows(times, base=rendered)
  found[1]["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
  means = {k: round(v["mean"], 7) for k, v in distances[-1]["factors"].items()}
  return {"rows": found, "means": means}


if __name__ == "__main__":
  print(json.dumps(measure_set(sys.argv[1], int(sys.argv[2]))))
