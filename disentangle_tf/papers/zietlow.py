"""Figures 1 and 10 of Zietlow et al. 2021, and the numbers of its tables."""

from __future__ import annotations

import csv
import dataclasses
import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots, studies
from disentangle_tf.arguments import check_count
from disentangle_tf.errors import UserError
from disentangle_tf.studies.figures.models import open_model
from disentangle_tf.text import markdown_table

if TYPE_CHECKING:
  from matplotlib.figure import Figure

  from disentangle_tf.studies.finished_run import FinishedRun


FIGURES = {
  # Two latents moved at once, of the best and the worst models, figures 10 and 11.
  # Needs mig and the exports.
  "zietlow_figure_10": [studies.plot_latent_planes],
}

_TABLE_1 = pathlib.Path(__file__).with_name("zietlow_table_1.csv")


def zietlow_table_1(data: str) -> dict[str, dict[str, dict[str, str]]]:
  """Read tables 1 and 3 to 5: mean and standard deviation of ten seeds.

  Those of the arXiv version, whose autoencoder has the original set alone.

  Args:
    data: "dsprites" or "shapes3d".

  Returns:
    {score: {method: {version of the set: text}}}, as `plot_score_summary` takes it.

  Reference:
    Zietlow, Rolinek & Martius 2021, https://arxiv.org/abs/2102.06822

  Example:
    >>> from disentangle_tf import papers
    >>> papers.zietlow_table_1("dsprites")["mig"]["PCL"]["original"]
    '0.21 ± 0.03'
  """
  found: dict[str, dict[str, dict[str, str]]] = {}
  with _TABLE_1.open(encoding="utf-8", newline="") as file:
    for row in csv.DictReader(file):
      if row["data"] == data:
        methods = found.setdefault(row["score"], {})
        text = f"{row['mean']} ± {row['deviation']}"
        methods.setdefault(row["method"], {})[row["version"]] = text
  return found


_NEAR = 15  # degrees
_BATCH = 4_096  # points
_COLUMNS = (
  "model", "seed", "to the axes", f"within {_NEAR}°", "to the principal directions",
  "squared lengths of the columns",
)  # fmt: skip
_WORDS = (
  "Angles are medians over all points and both latents, between a column of the "
  "decoder's Jacobian and the nearest axis, or the nearest principal direction of all "
  "points"
)


def plot_directions(
  finished: Sequence[FinishedRun], *, num_places: int = 23
) -> dict[str, Figure | str]:
  """Columns of the decoders' Jacobians in a cloud of points, PCA, and the codes.

  Args:
    finished: [`FinishedRun`] of models with two latents, on one set of points of the
      plane; of each run the first is drawn, and all are in the table.
    num_places: number of points at which directions are drawn, evenly in the order of
      the set.

  Returns:
    {"directions": figure, "directions.md": angles of the columns of every model}.

  Example:
    >>> from disentangle_tf import data, export, losses, models, networks, papers
    >>> from disentangle_tf import studies
    >>> images = data.Lattice(points_per_cluster=4)
    >>> model = models.BetaVAE(
    ...   networks.linear_encoder(images.observation_shape, latents=2),
    ...   networks.linear_decoder(images.observation_shape, latents=2),
    ...   losses.MSE(),
    ...   beta=1.0,
    ... )
    >>> folder = export.write_export(model, "model", data=images)
    >>> run = studies.FinishedRun("beta-VAE", {}, 0, folder, {"mig": 0.25})
    >>> sorted(papers.plot_directions([run]))
    ['directions', 'directions.md']
  """
  check_count("plot_directions", num_places=num_places)
  asked = [(each.run, str(each.seed), *_ask(each)) for each in finished]
  points = asked[0][2]
  if any(not np.array_equal(points, others) for _, _, others, _ in asked):
    raise UserError(
      "plot_directions draws one cloud, the models have several data sets"
    )
  alignments = [(run, seed, alignment) for run, seed, _, alignment in asked]
  alignments.append(("PCA", "–", _of_principal_components(points)))
  lines = [[run, seed, *alignment.words()] for run, seed, alignment in alignments]
  drawn = {run: alignment for run, _, alignment in reversed(alignments)}
  drawn = {run: drawn[run] for run in dict.fromkeys(run for run, *_ in alignments)}
  chosen = np.linspace(0, len(points) - 1, num_places).round().astype(int)
  figure = plots.direction_grid_figure(
    points,
    {run: (each.places[chosen], each.columns[chosen]) for run, each in drawn.items()},
    {run: each.codes for run, each in drawn.items()},
    notes={run: each.note() for run, each in drawn.items()},
    caption=f"Where each latent pushes a point (above), and codes (below). {_WORDS}.",
  )
  return {
    "directions": figure,
    "directions.md": f"{markdown_table(_COLUMNS, lines)}\n\n{_WORDS}.\n",
  }


@dataclasses.dataclass(frozen=True)
class Alignment:
  """Codes, decoded points and Jacobians of a model in a cloud of points.

  Attributes:
    codes: [points, 2].
    places: [points, 2], what the codes are decoded to.
    columns: [points, 2, 2], the decoder's Jacobians there.
    principal: [2, 2], the principal directions of all points as columns.
  """

  codes: np.ndarray
  places: np.ndarray
  columns: np.ndarray
  principal: np.ndarray

  def to_axes(self) -> np.ndarray:
    """[points, 2] degrees in [0, 45], from each column to the nearest axis."""
    return angles_between(self.columns, np.eye(2))

  def to_principal(self) -> np.ndarray:
    """The same to the nearest principal direction of all points."""
    return angles_between(self.columns, self.principal)

  def note(self) -> str:
    """A line above its panel."""
    axes, principal = (np.median(a) for a in (self.to_axes(), self.to_principal()))
    return f"to the axes {axes:.0f}°, to PCA {principal:.0f}°"

  def words(self) -> tuple[str, ...]:
    """Cells of a table."""
    lengths = np.square(self.columns).sum(axis=1).mean(axis=0)
    return (
      f"{np.median(self.to_axes()):.1f}°",
      f"{100 * (self.to_axes() < _NEAR).mean():.0f} %",
      f"{np.median(self.to_principal()):.1f}°",
      ", ".join(f"{length:.3f}" for length in lengths),
    )


def angles_between(columns: np.ndarray, directions: np.ndarray) -> np.ndarray:
  """Degrees from each column of [..., 2, n] to the nearest direction of [2, m]."""
  lengths = np.linalg.norm(columns, axis=-2, keepdims=True)
  unit = columns / np.maximum(lengths, np.finfo(float).tiny)
  cosines = np.abs(np.einsum("...ij,ik->...jk", unit, directions)).max(axis=-1)
  return np.degrees(np.arccos(np.clip(cosines, 0.0, 1.0)))


def _ask(finished: FinishedRun) -> tuple[np.ndarray, Alignment]:
  """(points [N, 2], `Alignment`) of one model."""
  from disentangle_tf.scoring.observations import decoder_jacobians

  model, data = open_model(finished)
  if data.observation_shape != (2,) or model.num_latents != 2:
    raise UserError(
      f"plot_directions draws two latents in the plane: {finished.export} has "
      f"{model.num_latents} latents and data of shape {data.observation_shape}"
    )
  points = np.concatenate([points for _, points in data.in_order(_BATCH)])
  codes, _ = model.encode(points)
  columns = decoder_jacobians(model.decode, codes)
  principal = _principal_directions(points)[1]
  return points, Alignment(codes, model.decode(codes), columns, principal)


def _principal_directions(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
  """(variances, descending; directions [2, 2] as columns)."""
  variances, directions = np.linalg.eigh(np.cov(points.T.astype(np.float64), bias=True))
  return variances[::-1], directions[:, ::-1]


def _of_principal_components(points: np.ndarray) -> Alignment:
  """`Alignment` of PCA, whose codes have variance 1."""
  variances, directions = _principal_directions(points)
  columns = directions * np.sqrt(variances)
  codes = (points - points.mean(axis=0)) @ directions / np.sqrt(variances)
  columns = np.broadcast_to(columns, (len(points), 2, 2))
  return Alignment(codes, points, columns, directions)
