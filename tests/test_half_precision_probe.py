import os
import pathlib
import re
import subprocess
import sys

import pytest
from shared_checks import skip_if_deadly

from disentangle_tf import half_precision_probe
from disentangle_tf.half_precision import HALF_PRECISIONS, VARIABLE

_FLAGS = pathlib.Path("/proc/cpuinfo")


def has_avx512():
  return _FLAGS.exists() and re.search(r"\bavx512bw\b", _FLAGS.read_text()) is not None


def _exit_code(precision, **environment):
  command = [sys.executable, "-P", half_precision_probe.__file__, precision]
  environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "-1", **environment}
  return subprocess.run(
    command, env=environment, stderr=subprocess.DEVNULL, timeout=300
  ).returncode


@pytest.mark.slow
@pytest.mark.parametrize("precision", HALF_PRECISIONS)
def test_its_steps_are_taken_where_the_precision_works(precision):
  skip_if_deadly(precision)
  assert _exit_code(precision) == 0


@pytest.mark.slow
@pytest.mark.skipif(
  not has_avx512(), reason="without AVX-512 oneDNN gets no bfloat16 that it refuses"
)
def test_it_dies_of_instructions_that_onednn_lacks():
  assert _exit_code("mixed_bfloat16", **{VARIABLE: "AVX2"}) < 0
