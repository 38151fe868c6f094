"""Calling commands as a user does, in the tests' own process."""

import sys

import pytest

QUICK = (  # a run that builds in a moment
  "--gin_file", "gin/runs/demo_overlap.gin",
  "--gin_bindings", "UNITS=(8,)",
  "--gin_bindings", "training.Computing.jit_compile=False",
  "--gin_bindings", "training.Saving.checkpoint_every=20",
)  # fmt: skip


def call(main, *arguments):
  """Exit code of a command."""
  with pytest.MonkeyPatch.context() as patch:
    patch.setattr(sys, "argv", ["command", *map(str, arguments)])
    try:
      main()
    except SystemExit as exit_:
      return exit_.code
  return 0


def measuring(metric, **options):
  """Flags that have one metric measured, with options of its `Measurement`."""
  bindings = [
    "evaluation.evaluate.measurements=[@one/evaluation.Measurement()]",
    f"one/evaluation.Measurement.metric=@metrics.{metric}",
    *(
      f"one/evaluation.Measurement.{name}={value!r}" for name, value in options.items()
    ),
  ]
  return [word for binding in bindings for word in ("--gin_bindings", binding)]
