"""Calling commands as a user does, in the tests' own process."""

import pathlib
import subprocess
import sys
import time

import pytest

ROOT = pathlib.Path(__file__).parents[1]

QUICK = (  # a run that builds in a moment
  "--gin_file", "gin/runs/demo_overlap.gin",
  "--gin_bindings", "UNITS=(8,)",
  "--gin_bindings", "training.Computing.jit_compile=False",
  "--gin_bindings", "training.Saving.checkpoint_every=20",
)  # fmt: skip
RUN_FILES = (  # all parts of a run, but for BETA, LATENTS and STEPS
  "gin/data/xysquares_small.gin",
  "gin/losses/mse.gin",
  "gin/networks/mlp.gin",
  "gin/models/beta_vae.gin",
  "gin/runs/training.gin",
)


ZIETLOW_SMALL = (  # a beta-VAE on Spot, seconds
  "gin/models/beta_vae.gin",
  "gin/runs/zietlow.gin",
  "gin/runs/zietlow_cpu_size.gin",
)
_OF_LOCATELLO = "annealed_vae", "beta_tcvae", "beta_vae", "dip_vae_i", "dip_vae_ii"
_OF_ZIETLOW = "ae", "beta_tcvae", "beta_vae", "factor_vae", "pcl", "slow_vae"
# {name: gin files} of runs that need the file of a model, and of a few more.
COMPOSED_RUNS = {
  **{
    f"{paper}_{model}": [f"gin/models/{model}.gin", f"gin/runs/{paper}.gin"]
    for paper, models in (
      ("locatello", (*_OF_LOCATELLO, "factor_vae")),
      ("zietlow", _OF_ZIETLOW),
    )
    for model in models
  },
  **{
    f"{run}_ada_gvae": [f"gin/runs/{run}.gin", "gin/models/ada_gvae.gin"]
    for run in ("demo_mse", "demo_overlap", "demo_spacing")
  },
}


def run_files(name):
  """(gin files, gin bindings) of a shipped run, or of one of `COMPOSED_RUNS`."""
  files = COMPOSED_RUNS.get(name, [f"gin/runs/{name}.gin"])
  needs_beta = name in COMPOSED_RUNS and "gin/models/beta" in files[0]
  return [*files], ["BETA=4.0"] * needs_beta


# A gin file of the cheapest metrics.
MIG_ALONE = """
from __gin__ import dynamic_registration
from disentangle_tf import scoring
from disentangle_tf import evaluation
from disentangle_tf import metrics
evaluation.evaluate.measurements = (@scoring.Measurement(),)
scoring.Measurement.metric = @metrics.mig
scoring.Measurement.num_points = 50
"""


def call(main, *arguments):
  """Exit code of a command."""
  with pytest.MonkeyPatch.context() as patch:
    patch.setattr(sys, "argv", ["command", *map(str, arguments)])
    try:
      main()
    except SystemExit as exit_:
      return exit_.code
  return 0


def binding_flags(*bindings):
  """Flags that bind."""
  return [word for binding in bindings for word in ("--gin_bindings", binding)]


def measuring(metric, **options):
  """Flags that have one metric measured, with options of its `Measurement`."""
  bindings = [
    "evaluation.evaluate.measurements=[@one/scoring.Measurement()]",
    f"one/scoring.Measurement.metric=@metrics.{metric}",
    *(f"one/scoring.Measurement.{name}={value!r}" for name, value in options.items()),
  ]
  return binding_flags(*bindings)


def stopped_step(command, checkpoints, number, times=1):
  """Starts a command, signals it after its first checkpoint; the step of its last."""
  process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
  deadline = time.monotonic() + 120
  while not list(checkpoints.glob("*.index")) and time.monotonic() < deadline:
    time.sleep(0.2)
  for _ in range(times):
    process.send_signal(number)
    time.sleep(0.02)  # less than a checkpoint takes
  output, _ = process.communicate(timeout=60)
  assert process.returncode == 130
  step = int(output.split("stopped after step ")[1].split(";")[0])
  assert (checkpoints / f"ckpt-{step}.index").exists()
  return step


def check_mistake(main, arguments, message, *, folder, capfd):
  """The command costs one line with the message, exit code 2, and leaves no output.

  Args:
    main: of the command.
    arguments: its flags, with x as --output_dir if any.
    message: words of the line.
    folder: the current one, which is empty.
    capfd: pytest's.
  """
  assert call(main, *arguments) == 2
  lines = capfd.readouterr().err.strip().splitlines()
  assert len(lines) == 1
  assert "error: " in lines[0] and message in lines[0]
  assert not (folder / "x").exists()
