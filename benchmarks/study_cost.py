"""What 12,600 runs need on GPUs: arithmetic from assumptions, not a measurement.

No GPU was available. The arithmetic of a step and the CPU seconds of scoring are
measured or computed from layer shapes; the rest is assumed, see `ASSUMED`.
"""

from machine import step_gflop
from standard_models import conv_model

from disentangle_tf.data import XYSquares

ASSUMED = {
  "runs": 12_600,
  "steps_per_run": 300_000,  # Locatello et al. 2019
  "batch_size": 64,
  "gpu_tflop_per_s": 19.5,  # float32 of an A100
  "gpu_share_reached": 0.2,  # small networks do not fill a GPU
  "least_ms_per_step": 1.0,  # starting some hundred kernels
  "scoring_cpu_minutes_per_run": 10.0,  # beside training, on the host's other cores
  "dollars_per_gpu_hour": 2.0,
}


def cost(gflop_per_step, *, gpus, **assumed):
  """{"ms_per_step", "hours_per_run", "gpu_hours", "days", "dollars"}."""
  given = ASSUMED | assumed
  speed = given["gpu_tflop_per_s"] * given["gpu_share_reached"]  # GFLOP per ms
  ms = max(gflop_per_step / speed, given["least_ms_per_step"])
  hours = given["steps_per_run"] * ms / 3.6e6
  gpu_hours = given["runs"] * hours
  scoring_hours = given["runs"] * given["scoring_cpu_minutes_per_run"] / 60
  return {
    "gpus": gpus,
    "ms_per_step": round(ms, 2),
    "hours_per_run": round(hours, 3),
    "gpu_hours": round(gpu_hours),
    "days": round(gpu_hours / gpus / 24, 1),
    "dollars": round(gpu_hours * given["dollars_per_gpu_hour"]),
    "cores_for_scoring_per_gpu": round(scoring_hours / gpu_hours, 2),
  }


def measure(quick):
  del quick
  gflop = step_gflop(conv_model(XYSquares(), latents=10), ASSUMED["batch_size"])
  cases = {
    "as assumed": {},
    "half the share of the GPU": {
      "gpu_share_reached": ASSUMED["gpu_share_reached"] / 2
    },
    "a step of 3 ms, limited by the host": {"least_ms_per_step": 3.0},
  }
  found = [
    {"name": name, **cost(gflop, gpus=gpus, **changed)}
    for gpus in (1, 64)
    for name, changed in cases.items()
  ]
  return {"rows": found, "facts": {"gflop_per_step": round(gflop, 2), **ASSUMED}}
