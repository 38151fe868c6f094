"""Seconds and memory of exact perceived distances; prints one JSON line.

  python benchmarks/importance.py [dsprites | xysquares]

Every pair of the set that differs in one factor, under MSE; `rendered` is the time of
rendering the set once, for comparison.
"""

import json
import os
import resource
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from disentangle_tf.data import DSprites, XYSquares
from disentangle_tf.losses import MSE
from disentangle_tf.perceived import factor_importance


def main():
  name = sys.argv[1] if len(sys.argv) > 1 else "dsprites"
  data = {"dsprites": DSprites, "xysquares": XYSquares}[name]()
  started = time.perf_counter()
  for _ in data.in_order(256):
    pass
  rendered = time.perf_counter() - started
  started = time.perf_counter()
  found = factor_importance(data, MSE(), num_pairs=1000)
  taken = time.perf_counter() - started
  print(
    json.dumps(
      {
        "data": name,
        "cores": os.cpu_count(),
        "rendered": round(rendered, 1),
        "exact": round(taken, 1),
        "ratio": round(taken / rendered, 2),
        "peak_gb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2),
        "means": {k: round(v["mean"], 7) for k, v in found["factors"].items()},
      }
    )
  )


if __name__ == "__main__":
  main()
