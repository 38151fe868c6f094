"""Seconds of the metrics on a codes table, except DCI, which dci.py compares.

The table has 10 latents for each of dSprites' 737,280 points: each factor with a little
noise, the other latents noise. Downstream tasks and evidence are left out. `peer` has
the CPU seconds that disentanglement_lib took for the same metrics on such codes; it
needs TensorFlow 1 and cannot run here.
"""

import numpy as np
from interleaved import in_turn, rows, timed

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


def measure(quick):
  table = make_table(DSprites().factors, np.random.default_rng(0))
  study = [m for m in protocols.LOCATELLO if m.metric not in LEFT_OUT]
  others = [Measurement(metric) for metric in OTHERS]
  variants = {
    each.name: timed(lambda each=each: each.scores(table, seed=0))
    for each in (study if quick else study + others)
  }
  times = in_turn(variants, 1 if quick else 3)
  found = rows(times, unit="table")
  total = sum(row["cpu"]["median"] for row in found[: len(study)])
  facts = {
    "study_cpu_seconds": round(total, 2),
    "peer_cpu_seconds": round(sum(PEER.values()), 2),
    "peer": PEER,
  }
  return {"rows": found, "facts": facts}
