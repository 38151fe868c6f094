"""Times of variants, measured in turn, so that other load slows all of them alike."""

import statistics
import time


def in_turn(variants, rounds):
  """Return {name: [result of each round]}; every other round runs in reverse order.

  Args:
    variants: {name: function without arguments}, already built and warmed up.
    rounds: number of rounds.
  """
  results = {name: [] for name in variants}
  for turn in range(rounds):
    for name in list(variants)[:: -1 if turn % 2 else 1]:
      results[name].append(variants[name]())
  return results


def timed(function, *, before=lambda: None):
  """Return a function without arguments that times a call as {"wall", "cpu"} seconds.

  "cpu" counts all threads of this process. `before` is called first and not timed: it
  consumes what was prepared during the turns of others, such as batches.
  """

  def take():
    before()
    wall, cpu = time.perf_counter(), time.process_time()
    function()
    return {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}

  return take


def ratios(times, base, clock):
  """Return {name: ratio of medians to `base`, with the range over the rounds}.

  Args:
    times: {name: [{clock: seconds}]} of `in_turn`.
    base: name of the variant to compare with.
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
  """Return {name: median over the rounds} of the result of `in_turn`."""
  return {
    name: round(statistics.median(each[clock] for each in taken), 4)
    for name, taken in times.items()
  }
