"""Seconds of Locatello et al.'s cheap metrics on a codes table; prints one JSON line.

  python benchmarks/metrics.py

The table has 10 latents for each of dSprites' 737,280 points: each factor with a little
noise, the other latents noise. `peer` has the CPU seconds of disentanglement_lib for
the same metrics on such codes. benchmarks/dci.py compares DCI; downstream tasks and
evidence are left out. `others` are further metrics, outside our aim of 4 seconds.
"""

import json
import os
import time

import numpy as np

from disentangle_tf import metrics
from disentangle_tf.data import DSprites
from disentangle_tf.scoring import CodesTable, Measurement, protocols

PEER = {
  "mig": 0.26,
  "total_correlation": 0.42,
  "sap": 1.42,
  "modularity and explicitness": 2.06,
  "beta_vae_score": 4.9,
  "factor_vae_score": 2.8,
}
LEFT_OUT = (metrics.dci, metrics.evidence, metrics.downstream_task)
OTHERS = (
  metrics.irs,
  metrics.rmig,
  metrics.mig_sup,
  metrics.jemmig,
  metrics.dcimig,
  metrics.mcc,
  metrics.z_max_variance,
  metrics.infomec,
  metrics.axis_ratios,
)


def make_table(space, rng):
  factors = space.to_factors(np.arange(space.num_points))
  codes = 0.05 * rng.normal(size=(space.num_points, 10))
  scaled = (factors - factors.mean(axis=0)) / factors.std(axis=0)
  codes[:, : len(space)] = scaled + 0.1 * rng.normal(size=scaled.shape)
  log_variances = np.full(codes.shape, -4.6, np.float32)
  return CodesTable(codes.astype(np.float32), space, log_variances=log_variances)


def seconds(measurements, table):
  taken = {}
  for measurement in measurements:
    started = time.perf_counter()
    measurement.scores(table, seed=0)
    taken[measurement.name] = round(time.perf_counter() - started, 2)
  return taken


def main():
  table = make_table(DSprites().factors, np.random.default_rng(0))
  study = [m for m in protocols.LOCATELLO if m.metric not in LEFT_OUT]
  ours = seconds(study, table)
  total = sum(ours.values())
  others = seconds([Measurement(metric) for metric in OTHERS], table)
  print(
    json.dumps(
      {
        "cores": os.cpu_count(),
        "study": ours,
        "total": round(total, 2),
        "peer": PEER,
        "ratio": round(sum(PEER.values()) / total, 1),
        "others": others,
      }
    )
  )


if __name__ == "__main__":
  main()
