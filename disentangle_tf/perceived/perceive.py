"""What a loss sees of a data set, on disk: tables and figures."""

import numpy as np

from disentangle_tf import plots
from disentangle_tf.argument_checks import (
  check_count,
  check_instance,
  check_seed,
  check_truth,
)
from disentangle_tf.data import GroundTruthData, data_to_config
from disentangle_tf.errors import UserError
from disentangle_tf.losses import MSE, ReconstructionLoss
from disentangle_tf.markdown import markdown_table
from disentangle_tf.output_files import (
  whole_output_dir,
  write_bytes,
  write_json,
  write_text,
)
from disentangle_tf.perceived.agreement import agreement
from disentangle_tf.perceived.distance_matrix import distance_matrix, true_distances
from disentangle_tf.perceived.existing_traversals import ExistingTraversals
from disentangle_tf.perceived.factor_importance import (
  draw_factor_pairs,
  factor_importance,
  pair_distance,
  random_pairs,
)
from disentangle_tf.perceived.level_distances import (
  level_agreement,
  level_distances,
  levels_figure,
)
from disentangle_tf.perceived.rank_losses import rank_losses as rank
from disentangle_tf.perceived.table_a1 import PUBLISHED

_MOST_SHOWN = 9  # images of a traversal
_FRAMES = 24  # of a GIF
_EXAMPLE = "@data.XYSquares()"


def perceive(
  *,
  data,
  output_dir,
  loss=None,
  model=None,
  others=None,
  rank_losses=False,
  num_pairs=50_000,
  num_curve_pairs=5_000,
  num_traversals=64,
  symmetric=True,
  seed=0,
  overwrite=False,
):
  """Writes importance.json, agreement.json, tables and figures.

  Args:
    data: the `GroundTruthData`; its factors must be ground truth.
    output_dir: folder for the results.
    loss: the `losses.ReconstructionLoss`; by default MSE.
    model: an opened one, as of `level_distances`: also write levels.json, levels.md and
      a figure of the distances at all its levels.
    others: {label: `GroundTruthData`} whose first factor is drawn beside that of
      `data`, under labels that say how they differ.
    rank_losses: also try a list of losses, and write ranking.json and ranking.md.
    num_pairs: pairs of each estimate.
    num_curve_pairs: pairs behind each curve of the cumulative figure; the paper's
      figure A1 has 50,000, which takes minutes.
    num_traversals: traversals behind matrices and correlations.
    symmetric: of the KL between posteriors, see `level_distances`.
    seed: of all that is drawn.
    overwrite: move an existing `output_dir` aside first.

  Returns:
    {"importance", "agreement", "ranking", "levels"}: the content of the JSON files; the
    last two are None unless asked for.
  """
  loss = MSE() if loss is None else loss
  counts = {"num_pairs": num_pairs, "num_curve_pairs": num_curve_pairs}
  counts["num_traversals"] = num_traversals
  check_count("perceive", **counts)
  check_truth("perceive", symmetric=symmetric, rank_losses=rank_losses)
  check_seed("perceive", seed=seed)
  check_instance("perceive", ReconstructionLoss, "@losses.MSE()", loss=loss)
  _check(data)
  _check_others(others)
  importance = {
    "loss": describe_loss(loss),
    "data": data_to_config(data),
    "settings": {**counts, "symmetric": symmetric, "seed": seed},
    "others": {label: data_to_config(world) for label, world in (others or {}).items()},
    "model": _describe_model(model),
  }
  with whole_output_dir(output_dir, overwrite=overwrite) as folder:
    importance |= factor_importance(data, loss, num_pairs=num_pairs, rng=seed)
    agreed = agreement(data, loss, num_traversals=num_traversals, rng=seed)
    ranking = None
    if rank_losses:
      ranking = rank(data, num_traversals=num_traversals, rng=seed)
      write_json(folder / "ranking.json", ranking)
      write_text(folder / "ranking.md", ranking_table(ranking) + "\n")
    options = {"num_traversals": num_traversals, "symmetric": symmetric, "rng": seed}
    levels = _look_into(model, data, loss, folder, options)
    write_json(folder / "importance.json", importance)
    write_json(folder / "agreement.json", agreed)
    table = importance_table(importance, agreed, _published(data, loss))
    title = f"Distances of {data.name} as {type(loss).__name__} perceives them\n\n"
    write_text(folder / "importance.md", title + table + "\n")
    moving = factor_traversals(data, np.random.default_rng(seed), frames=_FRAMES)
    write_bytes(folder / "factor_traversals.gif", plots.traversals_to_gif(moving))
    for name, figure in _figures(data, loss, num_curve_pairs, num_traversals, seed):
      plots.save_figure(figure, folder / name)
    if others:
      figure = _worlds(data, others, loss, num_traversals, seed)
      plots.save_figure(figure, folder / "worlds")
  return {
    "importance": importance,
    "agreement": agreed,
    "ranking": ranking,
    "levels": levels,
  }


def describe_loss(loss):
  """A loss as JSON: its class and settings.

  Of a kernel its shape, and how many entries a box would have that spreads as much.
  """
  settings = {
    name: describe_loss(value) if hasattr(value, "squared_maps") else value
    for name, value in vars(loss).items()
    if not name.startswith("_")
  }
  kept = {k: v for k, v in settings.items() if isinstance(v, str | int | float | dict)}
  if "kernel" in settings:
    kernel = settings["kernel"]
    kept["kernel_shape"] = list(kernel.shape)
    kept["kernel_entries"] = float(1 / np.sum(np.square(kernel, dtype=np.float64)))
  return {"class": type(loss).__name__, **kept}


def importance_table(importance, agreed, published):
  """Markdown: factors from the most important to the least, random pairs first."""
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


def ranking_table(ranking):
  """Markdown: losses from the one that agrees best."""
  names = list(ranking[0]["factors"])
  rows = []
  for row in ranking:
    columns = [*(row["factors"][name] for name in names), row["random"]]
    cells = [f"{found['linear']:.3f}" for found in columns]
    adversarial = "yes" if row["adversarial"] else ""
    rows.append([row["loss"], f"{row['score']:.3f}", *cells, adversarial])
  columns = ["loss", "mean correlation", *names, "random", "adversarial"]
  return markdown_table(columns, rows)


def levels_table(levels):
  """Markdown: the linear correlation of each level with each factor."""
  names = list(next(iter(levels.values()), ()))  # no factor may have three values
  rows = []
  for factor, found in levels.items():
    rows.append([factor, *(f"{found[name]['linear']:.2f}" for name in names)])
  return markdown_table(["linear correlation", *names], rows)


def _look_into(model, data, loss, output_dir, options):
  """Writes what a model makes of the distances, if there is one; gives levels.json."""
  if model is None:
    return None
  distances = level_distances(data, loss, model, **options)
  levels = level_agreement(distances)
  write_json(output_dir / "levels.json", levels)
  write_text(output_dir / "levels.md", levels_table(levels) + "\n")
  plots.save_figure(levels_figure(distances), output_dir / "levels")
  return levels


def _describe_model(model):
  """Which model it is, as far as it tells."""
  if model is None:
    return None
  path = getattr(model, "path", None)
  return {
    "path": None if path is None else str(path),
    "sha256": getattr(model, "sha256_of_all", None) or getattr(model, "sha256", None),
  }


def _check_others(others):
  if others is not None and not isinstance(others, dict):
    raise UserError(f"perceive.others is {others!r}: it must be {{label: data set}}")
  for label, world in (others or {}).items():
    check_instance(f"perceive.others[{label!r}]", GroundTruthData, _EXAMPLE, data=world)


def _check(data):
  check_instance("perceive", GroundTruthData, _EXAMPLE, data=data)
  if not data.has_factors:
    raise UserError(
      f"{data.name} has no ground-truth factors, so there are no distances"
    )
  if len(data.observation_shape) != 3:
    raise UserError(f"{data.name} has no images, so there is nothing to perceive")
  for factor in range(len(data.factors)):
    ExistingTraversals(
      data.factors, factor
    )  # explains a factor that never changes alone


def _published(data, loss):
  """The paper's rows for this set, if it is the paper's set and loss."""
  rows = PUBLISHED.get(data.name, {}) if type(loss) is MSE else {}
  same = set(rows) == {"random", *data.factors.names}
  adversarial = data.name != "xysquares" or data.get_config()["grid_spacing"] == 8
  return rows if same and adversarial else {}


def _figures(data, loss, num_pairs, num_traversals, seed):
  """(file name, figure) of all that is drawn."""
  rng = np.random.default_rng(seed)
  space = data.factors
  yield (
    "factor_traversals",
    plots.traversals_figure(factor_traversals(data, rng), space.names),
  )
  matrices = [
    distance_matrix(data, loss, factor, num_traversals=num_traversals, rng=rng)
    for factor in range(len(space))
  ]
  yield (
    "distance_matrices",
    plots.matrix_rows_figure(
      {
        "ground truth": [true_distances(size) for size in space.sizes],
        "perceived": matrices,
      },
      space.names,
    ),
  )
  distance = pair_distance(data, loss)
  distances = {"random": distance(*random_pairs(space, num_pairs, rng))}
  for factor, name in enumerate(space.names):
    pairs = draw_factor_pairs(space, factor, num_pairs, rng)
    distances[name] = distance(*pairs)
  yield "cumulative", plots.cumulative_figure(distances)


def _worlds(data, others, loss, num_traversals, seed):
  """Figure 8: the first factor's distances, true and in each of the worlds."""
  columns = {"ground truth": true_distances(data.factors.sizes[0])}
  for label, world in others.items():
    columns[label] = distance_matrix(
      world, loss, 0, num_traversals=num_traversals, rng=seed
    )
  return plots.matrix_rows_figure(
    {data.factors.names[0]: list(columns.values())}, list(columns)
  )


def factor_traversals(data, rng, *, frames=None):
  """Images [factors, values, height, width, channels] through one random point.

  Of a factor with many values some are shown, after few there is white; or, with
  `frames`, so many from the first to the last, where neighbours may be the same. Where
  combinations are missing, each factor has a point of its own, and values that do not
  exist there are left out. Three channels, whatever the data set has.
  """
  space = data.factors
  most = frames or min(max(space.sizes), _MOST_SHOWN)
  point = space.draw(1, rng)[0]
  rows = []
  for factor in range(len(space)):
    traversals = ExistingTraversals(space, factor)
    start = point if space.is_whole else traversals.draw_starts(1, rng)[0]
    points, _ = traversals.walk(start)
    count = frames or min(len(points), most)
    shown = np.linspace(0, len(points) - 1, count).round().astype(int)
    images = plots.to_rgb(data.observe(points[shown]).numpy())
    missing = np.ones((most - count, *images.shape[1:]), np.float32)
    rows.append(np.concatenate([images, missing]))
  return np.stack(rows)
