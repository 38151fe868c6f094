"""Writes docs/performance.md: the text of performance_template.md, with tables in it.

`{{NAME}}` becomes the table of a benchmark and `{{NAME.fact}}` one of its facts;
`{{rough}}` names those that were run with --quick. What was not measured shows as "not
measured".
"""

import pathlib
import re

TEMPLATE = pathlib.Path(__file__).with_name("performance_template.md")
MISSING = "not measured"
_PLACE = re.compile(r"\{\{(\w+)(?:\.(\w+))?\}\}")
_COLUMNS = {
  "wall": "wall clock (s)",
  "cpu": "CPU time (s)",
  "ratio_wall": "ratio, wall clock",
  "ratio_cpu": "ratio, CPU time",
  "net_ratio": "ratio without waiting for cores",
  "images_per_second": "images/s",
  "open_seconds": "opening (s)",
  "gflop_per_s": "GFLOP/s",
  "gflop_per_cpu_s": "GFLOP per CPU second",
  "gb_per_s": "GB/s",
  "share_of_limit": "share of the limit, wall / CPU",
  "share_of_step": "share",
  "peak_mb": "most memory (MB)",
  "mb_per_run": "growth (MB per run)",
  "largest_difference": "largest difference: scores / importances",
  "quantity": "grows with",
  "exponent": "exponent",
  "at_end": "exponent between the two largest",
  "sizes": "sizes",
  "cpu_seconds": "CPU seconds",
  "gpus": "GPUs",
  "ms_per_step": "ms per step",
  "gpu_hours": "GPU hours",
  "days": "days",
  "dollars": "dollars",
  "cores_for_scoring_per_gpu": "CPU cores for scoring, per GPU",
}


def write(results, path):
  """Write the page of the results of run.py."""
  path.write_text(render(results, TEMPLATE.read_text(encoding="utf-8")), "utf-8")
  figure = path.parent / "images" / "growth.png"
  if "growth" in results and figure.parent.is_dir():
    draw_growth(results["growth"]["rows"], figure)


def render(results, text):
  """The text with its places filled."""

  def fill(place):
    name, fact = place.groups()
    if name == "rough":
      return ", ".join(key for key, each in results.items() if each["quick"]) or "none"
    if name not in results:
      return MISSING
    found = results[name]
    if fact is not None:
      return _fact(found.get("facts", {}).get(fact, found.get(fact)))
    return table(found["rows"])

  return _PLACE.sub(fill, text)


def table(rows):
  """A Markdown table with the columns that any row has."""
  filled = [_cells(row) for row in rows]
  columns = [key for key in _COLUMNS if any(key in cells for cells in filled)]
  lines = [["", *(_COLUMNS[key] for key in columns)], ["---"] * (len(columns) + 1)]
  for row, cells in zip(rows, filled, strict=True):
    lines.append([row["name"], *(_shown(key, cells.get(key)) for key in columns)])
  return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cells(row):
  """The row with one entry per column."""
  cells = dict(row)
  ratio = cells.pop("ratio", None)
  if ratio:
    cells |= {f"ratio_{clock}": ratio[clock] for clock in ("wall", "cpu")}
  if "cpu_seconds" in cells:
    cells["sizes"] = list(cells["cpu_seconds"])
    cells["cpu_seconds"] = list(cells["cpu_seconds"].values())
  return cells


def _shown(key, value):
  if value is None:
    return ""
  if isinstance(value, dict) and "median" in value:
    spread = "" if value["least"] == value["most"] else _range(value)
    return f"{_number(value['median'])}{spread}"
  if isinstance(value, dict) and "spread" in value:
    low, high = value["spread"]
    same = low == high == value["ratio"]
    return f"{value['ratio']:.2f}" + ("" if same else f" ({low:.2f} to {high:.2f})")
  if key == "share_of_step":
    return f"{100 * value:.1f} %"
  if isinstance(value, dict):
    return " / ".join(_number(each) for each in value.values())
  if isinstance(value, list):
    return ", ".join(_number(each) for each in value)
  return _number(value)


def _range(value):
  return f" ({_number(value['least'])} to {_number(value['most'])})"


def _number(value):
  if isinstance(value, str):
    return f"{int(value):,}" if value.isdecimal() else value
  if isinstance(value, int):
    return f"{value:,}"
  return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _fact(value):
  if value is None:
    return MISSING
  if isinstance(value, dict) and "peer" in value:
    low, high = value["spread"]
    return f"{value['ratio']:.2f} ({low:.2f} to {high:.2f}; {value['peer']})"
  if isinstance(value, dict):
    return ", ".join(f"{key}: {_fact(each)}" for key, each in value.items())
  if isinstance(value, bool):
    return "yes" if value else "no"
  if isinstance(value, list):
    return ", ".join(map(str, value)) or "none"
  return value if isinstance(value, str) else _number(value)


def draw_growth(rows, path):
  """Draw the curves: CPU seconds against each quantity, both logarithmic."""
  from matplotlib.figure import Figure

  quantities = list(dict.fromkeys(row["quantity"] for row in rows))
  figure = Figure(figsize=(9, 5.5), layout="constrained")
  panels = figure.subplots(2, 3).ravel()
  for panel, quantity in zip(panels, quantities, strict=False):
    for row in rows:
      if row["quantity"] == quantity:
        sizes = [int(size) for size in row["cpu_seconds"]]
        label = f"{row['name']}: exponent {row['exponent']}"
        panel.loglog(sizes, row["cpu_seconds"].values(), "o-", label=label)
    low, high = panel.get_ylim()
    margin = max(1.0, (20 * low / high) ** 0.5)  # a decade is always in sight
    panel.set_ylim(low / margin, high * margin * 4)  # room for the legend
    panel.set_xlabel(quantity)
    panel.set_ylabel("CPU seconds")
    panel.set_xticks(sizes, [f"{size:,}" for size in sizes], minor=False, fontsize=7)
    panel.minorticks_off()
    panel.grid(alpha=0.3)
    panel.legend(fontsize=7, loc="upper left")
  for panel in panels[len(quantities) :]:
    panel.set_axis_off()
  figure.savefig(path, dpi=110)
