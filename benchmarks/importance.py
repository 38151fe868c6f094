"""Seconds and memory of exact perceived distances; prints one JSON line.

  python benchmarks/importance.py [dsprites | xysquares] [ROUNDS]

Measures all pairs of the set that differ in one factor, under MSE. For comparison,
`rendered` is the time to render the set once. Both are measured in turn, by default 3
times. Seconds are medians; `spread` is the smallest and largest ratio of a round.
"""

import json
import os
import resource
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from interleaved import in_turn, median_seconds, ratios, timed

from disentangle_tf.data import DSprites, XYSquares
from disentangle_tf.losses import MSE
from disentangle_tf.perceived import factor_importance


def main():
  name = sys.argv[1] if len(sys.argv) > 1 else "dsprites"
  data = {"dsprites": DSprites, "xysquares": XYSquares}[name]()
  rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
  found = []

  def render():
    for _ in data.in_order(256):
      pass

  def exact():
    found.append(factor_importance(data, MSE(), num_pairs=1000))

  times = in_turn({"rendered": timed(render), "exact": timed(exact)}, rounds)
  print(
    json.dumps(
      {
        "data": name,
        "cores": os.cpu_count(),
        "rounds": rounds,
        **{
          clock: {
            **median_seconds(times, clock),
            **ratios(times, "rendered", clock)["exact"],
          }
          for clock in ("wall", "cpu")
        },
        "peak_gb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2),
        "means": {k: round(v["mean"], 7) for k, v in found[-1]["factors"].items()},
      }
    )
  )


if __name__ == "__main__":
  main()
