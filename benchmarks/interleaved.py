"""Times of variants, measured in turn: what else runs slows all of them alike."""

import statistics
import time


def in_turn(variants, rounds):
  """{name: [what it gave in each round]}; every other round runs backwards.

  Args:
    variants: {name: function of no arguments}, ready to run: built and warmed up.
    rounds: how many.
  """
  results = {name: [] for name in variants}
  for turn in range(rounds):
    for name in list(variants)[:: -1 if turn % 2 else 1]:
      results[name].append(variants[name]())
  return results


def timed(function, *, before=lambda: None):
  """A function of no arguments that gives {"wall", "cpu"}: the seconds of a call.

  "cpu" is of all threads of this process. `before` is called first and not timed: it
  uses up what was prepared during the turns of others, such as batches.
  """

  def take():
    before()
    wall, cpu = time.perf_counter(), time.process_time()
    function()
    return {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}

  return take


def ratios(times, base, clock):
  """{name: ratio to `base`} of medians, with the least and largest ratio of a round.

  Args:
    times: {name: [{clock: seconds}]} of `in_turn`.
    base: name of the variant that the others are compared with.
    clock: "wall" or "cpu".
  """
  seconds = {name: [each[clock] for each in taken] for name, taken in times.items()}
  found = {}
  for name in seconds:
    if name == base:
      continue
    per_round = [a / b for a, b in zip(seconds[name], seconds[base], strict=True)]
    of_medians = statistics.median(seconds[name]) / statistics.median(seconds[base])
    spread = [round(min(per_round), 2), round(max(per_round), 2)]
    found[name] = {"ratio": round(of_medians, 2), "spread": spread}
  return found


def median_seconds(times, clock):
  """{name: median of the rounds} of the result of `in_turn`."""
  return {
    name: round(statistics.median(each[clock] for each in taken), 4)
    for name, taken in times.items()
  }
