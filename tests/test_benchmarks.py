"""The benchmarks' helpers: variants in turn, rows, exponents, arithmetic of a step."""

import ast
import importlib
import itertools
import pathlib
import time

import pytest

from disentangle_tf import losses, models, networks

FOLDER = pathlib.Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def benchmark_module(monkeypatch):
  monkeypatch.syspath_prepend(FOLDER)
  return importlib.import_module


@pytest.fixture
def interleaved(benchmark_module):
  return benchmark_module("interleaved")


def test_variants_take_turns_and_no_place_is_always_the_same(interleaved):
  called = []
  numbers = itertools.count()

  def variant(name):
    def take():
      called.append(name)
      return next(numbers)

    return take

  found = interleaved.in_turn({name: variant(name) for name in "abc"}, 3)
  assert "".join(called) == "abccbaabc"
  assert found == {"a": [0, 5, 6], "b": [1, 4, 7], "c": [2, 3, 8]}


def test_wall_and_cpu_are_told_apart(interleaved):
  asleep = interleaved.timed(lambda: time.sleep(0.1))()
  assert asleep["wall"] >= 0.1 > 10 * asleep["cpu"]

  def busy(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
      pass

  busily = interleaved.timed(lambda: busy(0.05), before=lambda: busy(0.5))()
  assert 0.04 < busily["cpu"] < 0.3  # without what goes before


def test_ratios_are_of_medians_and_the_spread_is_of_rounds(interleaved):
  seconds = {"plain": [1.0, 2.0, 4.0], "slow": [3.0, 5.0, 4.0]}
  times = {name: [{"wall": s} for s in taken] for name, taken in seconds.items()}
  found = interleaved.ratios(times, "plain", "wall")
  assert found == {"slow": {"ratio": 2.0, "spread": [1.0, 3.0]}}
  assert interleaved.median_seconds(times, "wall") == {"plain": 2.0, "slow": 4.0}


def test_a_machine_that_slows_down_changes_no_ratio(interleaved):
  pace = itertools.chain.from_iterable([speed] * 2 for speed in (1, 1, 3, 9, 2))

  def variant(seconds):
    return lambda: {"wall": seconds * next(pace)}

  times = interleaved.in_turn({"plain": variant(1.0), "double": variant(2.0)}, 5)
  found = interleaved.ratios(times, "plain", "wall")
  assert found == {"double": {"ratio": 2.0, "spread": [2.0, 2.0]}}


def test_rows_are_per_unit_and_compared_with_the_base(interleaved):
  seconds = {"plain": [2.0, 4.0, 6.0], "slow": [8.0, 8.0, 12.0]}
  times = {n: [{"wall": s, "cpu": 2 * s} for s in each] for n, each in seconds.items()}
  plain, slow = interleaved.rows(times, base="plain", count=2, unit="step")
  assert plain == {
    "name": "plain",
    "unit": "step",
    "wall": {"median": 2.0, "least": 1.0, "most": 3.0},
    "cpu": {"median": 4.0, "least": 2.0, "most": 6.0},
  }
  assert slow["wall"]["median"] == 4.0
  compared = {"ratio": 2.0, "spread": [2.0, 4.0]}
  assert slow["ratio"] == {"to": "plain", "wall": compared, "cpu": compared}


def test_the_exponent_of_a_power_law_is_found(benchmark_module):
  fit = benchmark_module("power_law").fit
  assert fit({8: 64.0, 2: 4.0, 4: 16.0}) == {"exponent": 2.0, "at_end": 2.0}
  flat_at_first = {size: 10.0 + size**2 for size in (1, 10, 1_000, 10_000)}
  assert fit(flat_at_first)["exponent"] < 1.8
  assert fit(flat_at_first)["at_end"] == 2.0


def test_the_arithmetic_of_a_step_is_that_of_its_layers(benchmark_module):
  machine = benchmark_module("machine")
  shape = (16, 16, 3)
  model = models.VAE(
    networks.conv_encoder(shape, latents=2, dense_units=8),
    networks.conv_decoder(shape, latents=2, dense_units=8),
    losses.MSE(),
  )
  first = 8 * 8 * 4 * 4 * 3 * 32
  inner = 4 * 4 * 4 * 4 * 32 * 32 + 2 * 2 * 4 * 4 * 32 * 64 + 4 * 4 * 64 * 64
  heads = 64 * 8 + 2 * 8 * 2 + 2 * 8 + 8 * 64
  up = 4 * 4 * (64 * 64 + 2 * 2 * 64 * 32 + 4 * 4 * 32 * 32 + 8 * 8 * 32 * 3)
  products = 3 * (first + inner + heads + up) - first
  assert machine.step_gflop(model, 5) == pytest.approx(5 * 2 * products / 1e9)


def test_a_missing_peer_is_one_line_with_the_command(benchmark_module, monkeypatch):
  run = benchmark_module("run")
  monkeypatch.setattr(run, "_is_installed", lambda package: package != "torch")
  with pytest.raises(SystemExit, match=r'\(torch\): pip install -e "\.\[benchmarks\]"'):
    run.check_peers()


def test_the_cost_of_a_command_counts_its_children(benchmark_module):
  costs = benchmark_module("command_costs")
  busy = "import time\nwhile time.process_time() < 0.3: pass"
  start = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {busy!r}])"
  cost = costs.cost_of_python("-c", start)
  assert 0.3 <= cost.cpu < 5 and cost.wall > 0.1
  with pytest.raises(RuntimeError, match="failed"):
    costs.cost_of_python("-c", "raise SystemExit(3)")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda p: p.name)
def test_what_a_benchmark_imports_exists(path):
  for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
    if isinstance(node, ast.ImportFrom) and node.module.startswith("disentangle_tf"):
      module = importlib.import_module(node.module)
      for name in node.names:
        if not hasattr(module, name.name):
          importlib.import_module(f"{node.module}.{name.name}")
