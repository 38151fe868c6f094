"""Half precision that kills a child process: a stand-in for it, and oneDNN itself."""

import os
import re
import subprocess
import sys

import pytest
from command_calls import MIG_ALONE, ROOT
from test_half_precision_probe import has_avx512

from disentangle_tf import half_precision
from disentangle_tf.errors import UserError
from disentangle_tf.half_precision import VARIABLE, cap_instructions, check_precision

AMX = "processor\t: 0\nflags\t\t: fpu avx512_fp16 amx_bf16 amx_tile\n"
NO_AMX = "processor\t: 0\nflags\t\t: fpu avx512f avx512_vnni\nbugs\t\t: amx_\n"
# Survives under some caps, and is killed by a signal under all others.
PROBE = """
WORKS = {works}
import os, signal, sys
if os.environ.get("ONEDNN_MAX_CPU_ISA") not in WORKS[sys.argv[1]]:
  os.kill(os.getpid(), signal.SIGILL)
"""
NO_CAP = {"mixed_bfloat16": [None], "mixed_float16": [None]}


@pytest.fixture
def machine(tmp_path, monkeypatch):
  """Set the flags of the CPU, and the caps under which a step works."""

  def describe(cpu, works, cap=None):
    (tmp_path / "cpuinfo").write_text(cpu)
    (tmp_path / "probe.py").write_text(PROBE.format(works=works))
    monkeypatch.setattr(half_precision, "_CPU", tmp_path / "cpuinfo")
    monkeypatch.setattr(half_precision, "_PROBE", tmp_path / "probe.py")
    monkeypatch.delenv(VARIABLE, raising=False)
    if cap is not None:
      monkeypatch.setenv(VARIABLE, cap)
    half_precision._death.cache_clear()

  before = os.environ.get(VARIABLE)
  yield describe
  half_precision._death.cache_clear()
  os.environ.pop(
    VARIABLE, None
  )  # set by the code under test, so monkeypatch does not restore it
  if before is not None:
    os.environ[VARIABLE] = before


def _refusal(precision):
  with pytest.raises(UserError) as caught:
    check_precision(precision)
  text = str(caught.value)
  assert text.startswith(f"Computing.precision is {precision!r}: ") and "\n" not in text
  return text


BF16 = {"mixed_bfloat16": ["AVX512_CORE_BF16"], "mixed_float16": ["AVX512_CORE_FP16"]}
BOTH = {name: ["AVX512_CORE_FP16", "AVX512_CORE_BF16"] for name in BF16}


@pytest.mark.parametrize(
  ("precisions", "works", "cap"),
  [
    (["mixed_bfloat16"], NO_CAP, None),
    (["mixed_bfloat16"], BOTH, "AVX512_CORE_FP16"),  # the first cap that works
    (["mixed_bfloat16"], BF16, "AVX512_CORE_BF16"),
    (["mixed_float16"], BF16, "AVX512_CORE_FP16"),
    (["mixed_float16", "mixed_bfloat16"], BOTH, "AVX512_CORE_FP16"),
    (["mixed_float16", "mixed_bfloat16"], BF16, None),  # no cap serves both
    (["mixed_float16", "mixed_bfloat16"], {**BF16, **NO_CAP}, None),
    ([], BF16, None),
  ],
)
def test_the_first_cap_under_which_all_live_is_set(
  precisions, works, cap, machine, caplog
):
  caplog.set_level("INFO", logger="disentangle_tf")
  machine(AMX, works)
  cap_instructions(precisions)
  assert os.environ.get(VARIABLE) == cap
  output = "\n".join(caplog.messages)
  assert len(caplog.messages) == (cap is not None)
  if cap:
    assert "SIGILL" in output and f"{VARIABLE}={cap} is set" in output
    check_precision(precisions[0])


def test_float32_and_a_cpu_without_amx_cost_no_child(machine):
  nothing = dict.fromkeys(BF16, [])
  machine(NO_AMX, nothing)
  cap_instructions(BF16)
  check_precision("mixed_bfloat16")
  machine(AMX, nothing)
  cap_instructions([])
  check_precision("float32")
  assert VARIABLE not in os.environ
  assert half_precision._death.cache_info().misses == 0


def test_what_is_tried_once_is_known(machine):
  machine(AMX, NO_CAP)
  for _ in range(3):
    cap_instructions(["mixed_bfloat16"])
    check_precision("mixed_bfloat16")
  assert half_precision._death.cache_info().misses == 1


def test_a_library_call_is_told_which_cap_to_set(machine):
  machine(AMX, BF16)
  text = _refusal("mixed_bfloat16")
  assert "ends with SIGILL on this CPU; set ONEDNN_MAX_CPU_ISA=AVX512_CORE_BF16" in text
  assert VARIABLE not in os.environ


def test_the_users_own_cap_is_respected_and_named_if_it_kills(machine):
  machine(NO_AMX, {**NO_CAP, "mixed_float16": ["AVX2"]}, cap="AVX2")
  cap_instructions(["mixed_bfloat16"])
  assert os.environ[VARIABLE] == "AVX2"
  check_precision("mixed_float16")
  text = _refusal("mixed_bfloat16")
  assert "on this CPU under ONEDNN_MAX_CPU_ISA=AVX2; unset ONEDNN_MAX_CPU_ISA" in text


def test_where_no_cap_helps_float32_is_left(machine):
  machine(AMX, dict.fromkeys(BF16, []))
  cap_instructions(["mixed_bfloat16"])
  assert VARIABLE not in os.environ
  assert _refusal("mixed_bfloat16").endswith("on this CPU; choose 'float32'")


def test_a_child_that_hangs_or_fails_is_no_success(machine, tmp_path, monkeypatch):
  machine(AMX, NO_CAP)
  (tmp_path / "probe.py").write_text("import time; time.sleep(60)")
  monkeypatch.setattr(half_precision, "_SECONDS", 0.2)
  monkeypatch.setattr(half_precision, "CAPS", ())
  assert "no answer for 0.2 s" in _refusal("mixed_float16")
  monkeypatch.setattr(half_precision, "_SECONDS", 60)
  (tmp_path / "probe.py").write_text("raise SystemExit(3)")
  half_precision._death.cache_clear()
  assert "exit code 3" in _refusal("mixed_float16")


# oneDNN itself: under AVX2, bfloat16 kills it. DNNL_MAX_CPU_ISA is the older name of
# the variable. The newer one overrides it, so this CPU fails unless a cap is set.
DIES = {"DNNL_MAX_CPU_ISA": "AVX2"}
START = """
import pathlib, sys
from disentangle_tf import half_precision
half_precision._CPU = pathlib.Path(sys.argv.pop(1))
"""
TRAIN = START + "from disentangle_tf.commands.train import main; main()"
WORKER = (
  START
  + """
from disentangle_tf.commands.gin_files import gin_text
from disentangle_tf.commands.named_contents import named_contents
from disentangle_tf.commands.study_configuration import make_worker
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.folders import StudyFolder
plans = plan_study(
  {"MSE": ["gin/runs/demo_mse.gin"]},
  sweep={"training.Computing.precision": ["float32", "mixed_bfloat16"]},
  bindings=["STEPS=2", "UNITS=(8,)", "training.Computing.jit_compile=False"],
  metrics=sys.argv[2],
  read=gin_text,
  contents=named_contents,
)
study = StudyFolder(pathlib.Path(sys.argv[1]))
study.path.mkdir()
study.write_plans(plans)
study.write_configuration("", "all")
make_worker(study, plans).work()
"""
)
LIBRARY = (
  START
  + """
import keras
import tensorflow as tf
from disentangle_tf import data, losses, models, networks, training
tf.matmul(tf.ones([64, 64]), tf.ones([64, 64]))  # oneDNN has read the environment
world = data.XYSquares(image_size=16, grid_spacing=4, num_squares=2, square_size=4)
shape = world.observation_shape
training.train(
  model=lambda: models.AE(
    networks.mlp_encoder(shape, latents=2, units=(4,)),
    networks.mlp_decoder(shape, latents=2, units=(4,)),
    losses.MSE(),
  ),
  data=world, optimizer=keras.optimizers.Adam, steps=2, output_dir=sys.argv[1],
  computing=training.Computing(precision="mixed_bfloat16"),
)
"""
)
oneDNN = [  # noqa: N816  (its name)
  pytest.mark.slow,
  pytest.mark.skipif(
    not has_avx512(), reason="without AVX-512 oneDNN gets no bfloat16 that it refuses"
  ),
]


def _run(program, *words, cpu, folder, **environment):
  (folder / "cpuinfo").write_text(cpu)
  cleared = {k: v for k, v in os.environ.items() if k != VARIABLE}
  return subprocess.run(
    [sys.executable, "-c", program, folder / "cpuinfo", *map(str, words)],
    cwd=ROOT,
    env={**cleared, **environment},
    capture_output=True,
    text=True,
    timeout=600,
  )


RUN = (
  "--gin_file=gin/runs/demo_mse.gin", "--gin_bindings=STEPS=2",
  "--gin_bindings=UNITS=(8,)", "--gin_bindings=training.Computing.jit_compile=False",
  "--gin_bindings=training.Computing.precision='mixed_bfloat16'",
)  # fmt: skip


class TestOfOneDNN:
  pytestmark = oneDNN

  def test_bin_train_works_on_a_cpu_that_dies_without_a_cap(self, tmp_path):
    run = _run(
      TRAIN, *RUN, "--output_dir", tmp_path / "x", cpu=AMX, folder=tmp_path, **DIES
    )
    assert run.returncode == 0, run.stderr
    assert "ONEDNN_MAX_CPU_ISA=AVX512_CORE_FP16 is set" in run.stdout
    assert (tmp_path / "x" / "export" / "manifest.json").exists()
    assert "'mixed_bfloat16'" in (tmp_path / "x" / "config.gin").read_text()

  def test_bin_train_is_stopped_by_a_cap_of_the_user_that_kills(self, tmp_path):
    killing = {VARIABLE: "AVX2"}
    run = _run(
      TRAIN, *RUN, "--output_dir", tmp_path / "x", cpu=NO_AMX, folder=tmp_path,
      **killing,
    )  # fmt: skip
    assert run.returncode == 2
    (line,) = run.stderr.strip().splitlines()
    # The remedy depends on what this CPU does without a cap.
    assert re.search("ONEDNN_MAX_CPU_ISA=AVX2; (unset|set) ONEDNN_MAX_CPU_ISA", line)
    assert not (tmp_path / "x").exists()

  def test_a_library_call_dies_of_nothing(self, tmp_path):
    run = _run(LIBRARY, tmp_path / "x", cpu=AMX, folder=tmp_path, **DIES)
    assert run.returncode == 1
    assert "UserError: Computing.precision is 'mixed_bfloat16'" in run.stderr
    assert "set ONEDNN_MAX_CPU_ISA=AVX512_CORE_FP16 before Python" in run.stderr
    assert not (tmp_path / "x").exists()

  def test_a_worker_may_begin_with_float32(self, tmp_path):
    """The cap is set before its first run, since the second one is too late."""
    (tmp_path / "mig.gin").write_text(MIG_ALONE)
    words = tmp_path / "x", tmp_path / "mig.gin"
    run = _run(WORKER, *words, cpu=AMX, folder=tmp_path, **DIES)
    assert run.returncode == 0, run.stdout + run.stderr
    logs = [path.read_text() for path in tmp_path.glob("x/*/seed_0/log.txt")]
    capped = ["ONEDNN_MAX_CPU_ISA=AVX512_CORE_FP16 is set" in log for log in logs]
    assert sorted(capped) == [False, True]
    assert len(list(tmp_path.glob("x/*/seed_0/scores/scores.json"))) == 2
