"""The helper of the benchmarks that measures variants in turn."""

import importlib.util
import itertools
import pathlib
import time

import pytest

PATH = pathlib.Path(__file__).parents[1] / "benchmarks" / "interleaved.py"


@pytest.fixture(scope="module")
def interleaved():
  spec = importlib.util.spec_from_file_location("interleaved", PATH)
  module = importlib.util.module_from_spec(spec)
  spec.loader.exec_module(module)
  return module


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
