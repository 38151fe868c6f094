"""Tables of the result of `perceive`, as JSON and Markdown."""

import pathlib
from collections.abc import Mapping

from disentangle_tf.output_files import write_json, write_text
from disentangle_tf.perceived.perception import Perception
from disentangle_tf.text import markdown_table

Published = Mapping[str, tuple[float, float]]


def write_tables(
  found: Perception, folder: pathlib.Path, *, published: Published | None = None
) -> None:
  """Write importance.json and .md, agreement.json, and the optional results.

  Args:
    found: the `Perception`.
    folder: a `pathlib.Path` of an existing folder.
    published: {factor, or "random": (mean, standard deviation)} to show beside the
      measured importance, such as `papers.michlo_table_a1` gives.

  Example:
    >>> import pathlib
    >>> from disentangle_tf import data, perceived
    >>> found = perceived.perceive(
    ...   data=data.XYSquares(num_squares=1, image_size=24),
    ...   num_pairs=10, num_curve_pairs=10, num_traversals=2
    ... )
    >>> perceived.write_tables(found, pathlib.Path("."))
    >>> sorted(path.name for path in pathlib.Path(".").iterdir())
    ['agreement.json', 'importance.json', 'importance.md']
  """
  data, loss = found.data, found.loss
  write_json(folder / "importance.json", found.importance)
  write_json(folder / "agreement.json", found.agreement)
  table = importance_table(found.importance, found.agreement, published or {})
  title = f"Distances of {data.name} as {type(loss).__name__} perceives them\n\n"
  write_text(folder / "importance.md", title + table + "\n")
  if found.ranking is not None:
    write_json(folder / "ranking.json", found.ranking)
    write_text(folder / "ranking.md", ranking_table(found.ranking) + "\n")
  if found.levels is not None:
    write_json(folder / "levels.json", found.levels)
    write_text(folder / "levels.md", levels_table(found.levels) + "\n")


def importance_table(importance: dict, agreed: dict, published: Published) -> str:
  """Markdown table of the factors, most important first, after the random pairs."""
  factors = sorted(importance["factors"].items(), key=lambda item: -item[1]["mean"])
  measurements = [("random", importance["random"], agreed["random"])]
  measurements += [(name, row, agreed["factors"].get(name)) for name, row in factors]
  columns = ["factor", "mean", "std", "measured", "linear", "rank", "constant"]
  columns += ["paper's mean", "paper's std"] if published else []
  rows = []
  for name, row, found in measurements:
    measured = "every pair" if row["exact"] else f"± {row['mean_error']:.1g}"
    if name == "random" and not row["mean_error"]:
      measured = f"mean exact, std ± {row['std_error']:.1g}"
    correlations = (
      [f"{found['linear']:.2f}", f"{found['rank']:.2f}"] if found else ["-", "-"]
    )
    constant = "yes" if found and found.get("constant") else ""
    cells = [name, f"{row['mean']:.6f}", f"{row['std']:.6f}", measured, *correlations]
    paper = [f"{number:.4f}" for number in published[name]] if published else []
    rows.append([*cells, constant, *paper])
  return markdown_table(columns, rows)


def ranking_table(ranking: list[dict]) -> str:
  """Markdown table of the losses, best first."""
  names = list(ranking[0]["factors"])
  rows = []
  for row in ranking:
    columns = [*(row["factors"][name] for name in names), row["random"]]
    cells = [f"{found['linear']:.3f}" for found in columns]
    adversarial = "yes" if row["adversarial"] else ""
    rows.append([row["loss"], f"{row['score']:.3f}", *cells, adversarial])
  columns = ["loss", "mean correlation", *names, "random", "adversarial"]
  return markdown_table(columns, rows)


def levels_table(levels: dict) -> str:
  """Markdown table of the linear correlation of each level with each factor."""
  names = list(next(iter(levels.values()), ()))  # empty if no factor has three values
  rows = []
  for factor, found in levels.items():
    rows.append([factor, *(f"{found[name]['linear']:.2f}" for name in names)])
  return markdown_table(["linear correlation", *names], rows)
