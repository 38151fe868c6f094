"""Nonsense for any setting of a run costs one line."""

import contextlib
import io

import gin
import pytest
from command_calls import run_files

from disentangle_tf import training
from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.commands.gin_errors import explain
from disentangle_tf.commands.gin_record import used_settings

NONSENSE = ("'a'", "-1", "None", "1.5", "[]")


def _build(files, bindings):
  """Builds a run as --dry_run does."""
  with contextlib.redirect_stdout(io.StringIO()):
    read_configuration(files, bindings)
    gin.get_configurable(training.train)(output_dir=None, dry_run=True)


@pytest.mark.slow
@pytest.mark.parametrize(
  "run",
  [
    "demo_overlap",
    "locatello_factor_vae",
    "zietlow_slow_vae",
    "mathieu_isotropic",
    "locatello_annealed_vae",
    "zietlow_pcl",
    "locatello_dip_vae_i",
    "demo_overlap_ada_gvae",
    "mathieu_sparse",
    "demo_semi_supervised",
    "mathieu_pinwheel",
  ],
)
def test_no_setting_answers_nonsense_with_a_traceback(run):
  files, values = run_files(run)
  if run != "mathieu_pinwheel":  # which is small, and of points
    files.append("gin/runs/cpu_size.gin")
  _build(files, values)
  names = list(used_settings())
  assert len(names) > 10
  for name in names:
    for value in NONSENSE:
      try:
        _build(files, [*values, f"{name}={value}"])
      except Exception as error:
        assert explain(error), f"{name}={value}: {error!r}"
