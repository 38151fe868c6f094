"""Times of variants, measured in turn, so that other load slows all of them alike.

`rows` gives the measurements the shape that all benchmarks share and page.py prints.
"""

import statistics
import time

CLOCKS = ("wall", "cpu")


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


def summary(values):
  """{"median", "least", "most"} of numbers, with four digits."""
  found = {"median": statistics.median(values), "least": min(values)}
  return {k: float(f"{v:.4g}") for k, v in (found | {"most": max(values)}).items()}


def rows(times, *, base=None, count=1, unit="call"):
  """One row per variant, a dictionary; a benchmark may add further entries.

  Args:
    times: result of `in_turn` for functions of `timed`.
    base: name of the variant that "ratio" compares the others with; None: no ratios.
    count: number of units per measurement, such as steps; or {name: number}.
    unit: what the seconds of a row are for.

  Returns:
    [{"name", "unit", "wall": `summary` of seconds, "cpu": the same,
      "ratio": {"to": base, "wall": {"ratio", "spread"}, "cpu": the same}}]
  """
  compared = {} if base is None else {c: ratios(times, base, c) for c in CLOCKS}
  found = []
  for name, taken in times.items():
    units = count[name] if isinstance(count, dict) else count
    row = {"name": name, "unit": unit}
    row |= {clock: summary([each[clock] / units for each in taken]) for clock in CLOCKS}
    if name in compared.get("cpu", ()):
      row["ratio"] = {"to": base, **{c: compared[c][name] for c in CLOCKS}}
    found.append(row)
  return found
