"""report.html: the scores of a model, with pictures that explain them."""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup

from disentangle_tf import losses, perceived, pictures, plots
from disentangle_tf.data import GroundTruthData
from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.latent_use import is_deterministic, latent_use, most_used_first
from disentangle_tf.output_files import write_text
from disentangle_tf.perceived.distances import at_values, code_distances, mean_distances
from disentangle_tf.perceived.traversals import ExistingTraversals
from disentangle_tf.pictures.factor_latent import MOST_FACTORS, MOST_LATENTS
from disentangle_tf.scoring import EndlessCodes
from disentangle_tf.text import printable

if TYPE_CHECKING:
  from disentangle_tf.evaluation.subject import Subject
  from disentangle_tf.scoring.codes_table import CodesTable
  from disentangle_tf.scoring.observations import Observations

_NUM_POINTS = 2_000  # behind the heat-maps
_NUM_TRAVERSALS = 16  # behind the distances of each factor
_SHOWN = 9  # images
_MOST_LISTED = 32  # latents
_LONGEST_NAME = 40  # of a factor beside a heat-map
_LONGEST_FACT = 2_000
_RUN_SETTINGS = ("seed", "repeats", "batch_size", "factor_bins")
_KNOWN_DISTANCES: weakref.WeakKeyDictionary[GroundTruthData, list[np.ndarray]] = (
  weakref.WeakKeyDictionary()
)


def write_report(
  path: str | os.PathLike, subject: Subject, result: Mapping[str, Any]
) -> None:
  """Write report.html: scores, pictures that explain them, and how they were measured.

  Args:
    path: the file.
    subject: the `Subject` that was scored.
    result: the content of scores.json.
  """
  model = result["model"]
  parts = [
    plots.facts_part(
      "Scores",
      "Meaning, range and direction of each score: docs/metrics.md.",
      {name: _score_text(name, result) for name in result["scores"]},
    )
  ]
  if result["warnings"]:
    parts.insert(
      0,
      _facts(
        "Warnings",
        "The scores below may be wrong: the model's interface may have been detected "
        "incorrectly, or the model may hide part of what it computes.",
        dict(enumerate(map(printable, result["warnings"]), start=1)),
      ),
    )
  if result["skipped"]:
    parts.append(
      _facts("Skipped", "Metrics that were not measured.", result["skipped"])
    )
  parts += [part(subject) for part in (_divergences, _heat_maps, _distances)]
  parts += [*_pictures(subject), _protocol(result), _origin(model, result)]
  text = plots.html_report(
    title=f"Scores of {printable(model['path'])}",
    introduction=(
      f"{model['kind']}, {subject.table.num_latents} latents, scored on "
      f"{_data_name(subject)}."
    ),
    parts=[part for part in parts if part],
  )
  write_text(path, text)


def _score_text(name: str, result: Mapping[str, Any]) -> str:
  deviation = result["deviations"].get(name)
  spread = "" if deviation is None else f" ± {deviation:.4f}"
  return f"{result['scores'][name]:.4f}{spread}"


def _data_name(subject: Subject) -> str:
  table = subject.table
  count = f"{table.space.num_points:,} points"
  if table.num_images is None:
    count += ", a new image each time"
  elif table.num_images > table.space.num_points:
    count += f", {table.num_images:,} images"
  if subject.data is None:
    return f"the factors that came with the codes ({count})"
  size = "x".join(map(str, subject.data.observation_shape))
  return f"{subject.data.name} ({count}, {size})"


def _divergences(subject: Subject) -> Markup | None:
  """The KL of each latent, where it is known."""
  seen = _sample(subject.table)
  if seen.log_variances is None or is_deterministic(seen.log_variances):
    return None
  nats, least = latent_use(seen.codes, seen.log_variances)
  order = most_used_first(seen.codes, seen.log_variances)[:_MOST_LISTED]
  used = int(np.sum(nats >= least))
  variances = np.exp(seen.log_variances, dtype=np.float64).mean(axis=0)
  narrow_first = np.argsort(variances, kind="stable")[:_MOST_LISTED]
  return plots.facts_part(
    "KL of each latent",
    f"KL from the standard normal in nats, over {_NUM_POINTS:,} points: "
    f"{nats.sum():.4f} in total, {used} of {len(nats)} latents above {least}. Most "
    "active latents first, each with the mean variance of its posteriors. Ordered by "
    f"this variance, they are {', '.join(map(str, narrow_first))}.",
    {
      f"latent {latent}": f"{nats[latent]:.4f}, variance {variances[latent]:.4f}"
      for latent in order
    },
  )


def _heat_maps(subject: Subject) -> Markup | None:
  if subject.data is not None and not subject.data.has_factors:
    return None
  seen = _sample(subject.table)
  names = [printable(n, longest=_LONGEST_NAME) for n in subject.table.space.names]
  try:
    figure = pictures.factor_latent_figure(
      seen.codes, seen.log_variances, seen.factors, names
    )
  except UserError as error:  # such as no factor that varies
    return _facts("Latents and factors", "", {"not drawn": error})
  return plots.pictures_part(
    "Latents and factors",
    f"From {_NUM_POINTS:,} points{_left_out(subject.table)}. Mutual information in "
    "nats (MIG, modularity), absolute correlation (MCC), importance in a random forest "
    "(the DCI above is of boosted trees), accuracy of a single latent (SAP). A "
    "disentangled code has one bright cell in each column. Latents are in the order of "
    "their KL, or of their spread if the KL is unknown. Dead latents, below 0.01 nats "
    "or a hundredth of the largest spread, are grey: they hardly change the image, "
    "even where they correlate with a factor.",
    {"": plots.figure_to_png(figure)},
  )


def _sample(table: CodesTable | EndlessCodes) -> Observations:
  return table.sample(_NUM_POINTS, np.random.default_rng(0))


def _left_out(table: CodesTable | EndlessCodes) -> str:
  """The latents and factors that heat-maps are limited to, in words."""
  latents, factors = table.num_latents, len(table.space)
  words = []
  if latents > MOST_LATENTS:
    words.append(f"for the {MOST_LATENTS} most active of {latents:,} latents")
  if factors > MOST_FACTORS:
    words.append(f"for the first {MOST_FACTORS} of {factors} factors")
  return "".join(f", {each}" for each in words)


def _distances(subject: Subject) -> Markup | None:
  """Perceived distances beside those of the codes."""
  data, heading = subject.data, "Distances along each factor"
  if data is None or not data.has_factors or not pictures.has_images(data):
    return None
  positions = range(len(data.factors))
  try:
    pictures.check_drawable(data, distances=True)
    perceived.check_traversable(data)
    distances = {
      "Perceived (mean squared error of pixels)": _perceived_distances(data),
      "Between codes (Euclidean)": [
        _code_distances(subject.table, factor) for factor in positions
      ],
    }
  except ModelError:
    raise
  except UserError as error:  # such as a factor that never changes alone
    return _facts(heading, "", {"not drawn": error})
  return plots.pictures_part(
    heading,
    "Between every two values of a factor, averaged over traversals. Where "
    "neighbouring values are no closer than distant ones, a pixel-wise loss gives no "
    "reason to order them. White: the two values never occur in the same traversal.",
    {
      title: plots.figure_to_png(
        plots.matrices_figure(matrices, data.factors.names, label="distance")
      )
      for title, matrices in distances.items()
    },
  )


def _perceived_distances(data: GroundTruthData) -> list[np.ndarray]:
  """A matrix for each factor, measured once for all models that share the set."""
  if data not in _KNOWN_DISTANCES:
    _KNOWN_DISTANCES[data] = perceived.distance_matrices(
      data, losses.MSE(), num_traversals=_NUM_TRAVERSALS
    )
  return _KNOWN_DISTANCES[data]


def _code_distances(table: CodesTable | EndlessCodes, factor: int) -> np.ndarray:
  rng = np.random.default_rng(0)
  traversals = ExistingTraversals(table.space, factor)
  matrices = []
  for start in traversals.draw_starts(_NUM_TRAVERSALS, rng):
    points, values = traversals.walk(start)
    distances = code_distances(table.codes_of(points, rng))
    matrices.append(at_values(distances, values, table.space.sizes[factor]))
  return mean_distances(matrices)


def _pictures(subject: Subject) -> list[Markup]:
  """Reconstructions and traversals, if there is a decoder."""
  model, data = subject.model, subject.data
  if model is None or data is None or not pictures.has_images(data):
    return []
  seen = subject.table.sample(_SHOWN, np.random.default_rng(0))
  if not model.can_reconstruct or seen.reconstruct is None:
    return []
  images, reconstructions = seen.reconstruct()
  parts = [
    plots.pictures_part(
      "Reconstructions",
      "Images above, reconstructions below.",
      {"": _grid(np.stack([images, reconstructions]))},
      pixels=True,
    )
  ]
  if model.can_decode:
    many = _sample(subject.table)
    order = most_used_first(many.codes, many.log_variances)
    order = order[: pictures.most_rows(images.shape[1:], 9)]
    numbers = ", ".join(map(str, order))
    moved = pictures.latent_traversal(model.decode, seen.codes[0], latents=order)
    parts.append(
      plots.pictures_part(
        "Latent traversals",
        f"One row per latent, from -2 to 2, most active first: {numbers}.",
        {"": _grid(moved)},
        pixels=True,
      )
    )
  return parts


def _grid(images: np.ndarray) -> bytes:
  return plots.picture_to_png(plots.image_grid(images, scale=2, padding=2))


def _protocol(result: Mapping[str, Any]) -> Markup:
  """How many points each metric was measured on, and its settings."""
  return plots.facts_part(
    "Settings",
    "Points are drawn with replacement. If several images share all their factors, "
    "each point uses one of them, chosen at random.",
    {
      name: ", ".join(f"{key} {value}" for key, value in settings.items())
      for name, settings in result["settings"].items()
    },
  )


def _origin(model: Mapping[str, Any], result: Mapping[str, Any]) -> Markup:
  """Where the model came from, what the scan found, and how it was run."""
  scan, sandbox = model["scan"], model["sandbox"]
  facts = {
    "model": model["path"],
    "sha256": model["sha256"],
    "read as": model["read_as"],
    "scan": scan.get("skipped") or ("allowed" if scan["allowed"] else "REFUSED"),
    **{f"found {i}": _words(f) for i, f in enumerate(scan.get("findings", ()))},
    **{f"sandbox: {name}": text for name, text in sandbox.items()},
    **{name: result[name] for name in _RUN_SETTINGS},
    "limits": ", ".join(f"{k} {v:g}" for k, v in result["limits"].items()),
    "seconds": ", ".join(f"{k} {v}" for k, v in result["seconds"].items()),
    "versions": ", ".join(f"{k} {v}" for k, v in result["versions"].items()),
  }
  return _facts("How it was scored", "", facts)


def _facts(
  heading: str, note: str, facts: Mapping[str, object] | Mapping[int, object]
) -> Markup:
  """A list of facts in which every text may be foreign."""
  shown = {printable(k): printable(v, longest=_LONGEST_FACT) for k, v in facts.items()}
  return plots.facts_part(heading, note, shown)


def _words(finding: Mapping[str, Any]) -> str:
  return f"{finding['what']}, in {finding['where']}"
