"""The page that shows why a model scored as it did."""

import numpy as np

from disentangle_tf import losses, metrics, perceived, plots
from disentangle_tf.errors import UserError
from disentangle_tf.foreign.model_error import printable
from disentangle_tf.metrics.information import mutual_information_matrix
from disentangle_tf.metrics.mcc import correlation_matrix
from disentangle_tf.models.latent_traversal import latent_traversal, most_used_first
from disentangle_tf.output_files import write_text

_NUM_POINTS = 2_000  # behind the heat-maps
_NUM_TRAVERSALS = 16  # behind the distances
_SHOWN = 9  # images


def write_report(path, subject, result):
  """Writes report.html: scores, why they are so, and how they were made.

  Args:
    path: the file.
    subject: the `Subject` that was scored.
    result: the content of scores.json.
  """
  model = result["model"]
  parts = [
    plots.facts_part(
      "Scores",
      "What each means, its range and its direction: docs/metrics.md.",
      {name: f"{score:.4f}" for name, score in result["scores"].items()},
    )
  ]
  if result["skipped"]:
    parts.append(
      plots.facts_part("Skipped", "Not measured, and why.", result["skipped"])
    )
  parts += [part(subject) for part in (_heat_maps, _distances, _pictures)]
  parts += [_protocol(result), _origin(model, result)]
  text = plots.html_report(
    title=f"Scores of {printable(model['path'])}",
    introduction=(
      f"{model['kind']}, {subject.table.num_latents} latents, scored on "
      f"{_data_name(subject)}."
    ),
    parts=[part for part in parts if part],
  )
  write_text(path, text)


def _data_name(subject):
  count = f"{subject.table.space.num_points:,} points"
  if subject.data is None:
    return f"the factors that came with the codes ({count})"
  size = "x".join(map(str, subject.data.observation_shape))
  return f"{subject.data.name} ({count}, {size})"


def _heat_maps(subject):
  if subject.data is not None and not subject.data.labelled:
    return None
  try:
    matrices = factor_latent_matrices(*_sample(subject.table))
  except UserError as error:  # such as no factor that varies
    return plots.facts_part("Latents and factors", "", {"not drawn": error})
  figure = plots.heat_maps_figure(matrices, subject.table.space.names)
  return plots.pictures_part(
    "Latents and factors",
    f"From {_NUM_POINTS} points. Mutual information in nats (MIG, modularity), "
    "absolute correlation (MCC), importance in a random forest (the DCI above is of "
    "boosted trees), accuracy of one latent by itself (SAP). A disentangled code has "
    "one bright field a column.",
    {"": plots.figure_to_png(figure)},
  )


def _sample(table):
  return table.sample(_NUM_POINTS, np.random.default_rng(0))


def factor_latent_matrices(codes, factors):
  """{title: [latents, factors]}: four ways in which latents know of factors.

  Of the accuracy, a third of the points are kept to test.
  """
  kept = 2 * len(codes) // 3
  splits = codes[:kept], factors[:kept], codes[kept:], factors[kept:]
  return {
    "mutual information": mutual_information_matrix(codes, factors, num_bins=20),
    "correlation": np.abs(correlation_matrix(codes, factors)),
    "importance": metrics.dci_importance(codes, factors, predictor="random_forest"),
    "accuracy": metrics.sap_matrix(*splits),
  }


def _distances(subject):
  """Perceived distances beside those of the codes."""
  data, space = subject.data, subject.table.space
  if data is None or not data.labelled or len(data.observation_shape) != 3:
    return None
  if not space.is_whole:
    return None  # traversals have holes
  loss = losses.MSE()
  pictures = {
    "Perceived (mean squared error of pixels)": [
      perceived.distance_matrix(data, loss, factor, num_traversals=_NUM_TRAVERSALS)
      for factor in range(len(space))
    ],
    "Between codes (Euclidean)": [
      _code_distances(subject.table, factor) for factor in range(len(space))
    ],
  }
  return plots.pictures_part(
    "Distances along each factor",
    "Between every two values of a factor, averaged over traversals. Where "
    "neighbouring values are no nearer than distant ones, a pixel-wise loss gives no "
    "reason to order them.",
    {
      title: plots.figure_to_png(
        plots.matrices_figure(matrices, space.names, label="distance")
      )
      for title, matrices in pictures.items()
    },
  )


def _code_distances(table, factor):
  rng = np.random.default_rng(0)
  total = 0.0
  for point in table.space.draw(_NUM_TRAVERSALS, rng):
    codes = table.draw(table.space.traversal(point, factor))
    total = total + np.linalg.norm(codes[:, None] - codes, axis=-1)
  return total / _NUM_TRAVERSALS


def _pictures(subject):
  """Reconstructions and traversals, if there is a decoder."""
  model = subject.model
  if model is None or not model.has_decoder or len(subject.data.observation_shape) != 3:
    return None
  points = subject.table.points(_SHOWN, np.random.default_rng(0))
  images, reconstructions = subject.table.reconstruct(points)
  parts = [
    plots.pictures_part(
      "Reconstructions",
      "Images above, reconstructions below.",
      {"": _grid(np.stack([images, reconstructions]))},
      pixels=True,
    )
  ]
  if model.interface.decode:
    code = subject.table.draw(points[:1])[0]
    order = _order_of_latents(subject.table)
    parts.append(
      plots.pictures_part(
        "Latent traversals",
        f"A row a latent, from -2 to 2, in the order {', '.join(map(str, order))}.",
        {"": _grid(latent_traversal(model.decode, code)[order])},
        pixels=True,
      )
    )
  return "\n".join(parts)


def _order_of_latents(table):
  points = table.points(_NUM_POINTS, np.random.default_rng(0))
  known = table.has_distribution
  log_variances = table.draw_distribution(points)[1] if known else None
  return most_used_first(table.draw(points), log_variances)


def _grid(images):
  return plots.picture_to_png(plots.image_grid(images, scale=2, padding=2))


def _protocol(result):
  """On how many points each metric was measured, and with what settings."""
  return plots.facts_part(
    "Settings",
    "Points are drawn with replacement.",
    {
      name: ", ".join(f"{key} {value}" for key, value in settings.items())
      for name, settings in result["settings"].items()
    },
  )


def _origin(model, result):
  """Where the model came from, what was found in it, and how it was run."""
  scan, sandbox = model["scan"], model["sandbox"]
  facts = {
    "model": model["path"],
    "sha256": model["sha256"],
    "read as": model["read_as"],
    "scan": scan.get("skipped") or ("allowed" if scan["allowed"] else "REFUSED"),
    **{f"found {i}": _words(f) for i, f in enumerate(scan.get("findings", ()))},
    **{f"sandbox: {name}": text for name, text in sandbox.items()},
    "seed": result["seed"],
    "seconds": ", ".join(f"{k} {v}" for k, v in result["seconds"].items()),
    "versions": ", ".join(f"{k} {v}" for k, v in result["versions"].items()),
  }
  return plots.facts_part("How it was scored", "", facts)


def _words(finding):
  return f"{finding['what']}, in {finding['where']}"
