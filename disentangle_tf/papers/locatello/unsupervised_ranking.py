"""UDR of a study's models: do models agree that differ in their seed alone?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.arguments import check_count
from disentangle_tf.errors import UserError
from disentangle_tf.latent_use import is_deterministic, latent_use
from disentangle_tf.metrics._udr import udr_scores
from disentangle_tf.studies.figures.models import open_model
from disentangle_tf.studies.plan import setting_text
from disentangle_tf.text import markdown_table

if TYPE_CHECKING:
  from disentangle_tf.studies.finished_run import FinishedRun


def plot_udr(
  finished: Sequence[FinishedRun], *, num_points: int = 1_000, method: str = "lasso"
) -> dict[str, str]:
  """Unsupervised disentanglement ranking of the models of each run and setting.

  The models of one setting are compared with each other. A setting with one seed has no
  UDR and is left out.

  Args:
    finished: [`FinishedRun`].
    num_points: number of images on whose codes models are compared.
    method: "lasso" or "spearman", see `metrics.udr`.

  Returns:
    {"udr.md": a table with the median over models of each setting, and every seed's
    score, best first}.

  Reference: Duan et al. 2020, "Unsupervised Model Selection for Variational
  Disentangled Representation Learning".

  Example:
    >>> from disentangle_tf import data, export, losses, models, networks
    >>> from disentangle_tf import papers, studies
    >>> images = data.XYSquares(image_size=8, square_size=2, grid_spacing=2)
    >>> model = models.BetaVAE(
    ...   networks.linear_encoder(images.observation_shape, latents=2),
    ...   networks.linear_decoder(images.observation_shape, latents=2),
    ...   losses.MSE(),
    ...   beta=1.0,
    ... )
    >>> folder = export.write_export(model, "ranked", data=images)
    >>> runs = [
    ...   studies.FinishedRun("beta-VAE", {}, seed, folder, {"mig": 0.25})
    ...   for seed in (0, 1)
    ... ]
    >>> list(papers.locatello.plot_udr(runs, num_points=50))
    ['udr.md']
  """
  check_count("plot_udr", num_points=num_points)
  groups: dict[tuple[str, str], list[FinishedRun]] = {}
  for each in finished:
    groups.setdefault((each.run, setting_text(each)), []).append(each)
  rows = [
    [run, setting, str(len(models)), *_texts(models, num_points, method)]
    for (run, setting), models in groups.items()
    if len(models) > 1
  ]
  if not rows:
    raise UserError("plot_udr: no setting has two seeds, whose models could agree")
  head = ["run", "setting", "seeds", "median UDR", "UDR of each seed, best first"]
  words = f"UDR ({method}) on {num_points:,} images."
  return {"udr.md": f"{markdown_table(head, rows)}\n\n{words}\n"}


def _texts(
  models: Sequence[FinishedRun], num_points: int, method: str
) -> tuple[str, str]:
  """(median, score of each seed) of models of one setting, as text."""
  codes, use = zip(*(_codes(each, num_points) for each in models), strict=True)
  kl = None if any(each is None for each in use) else use
  scores = udr_scores(codes, method=method, kl=kl)
  order = np.argsort(-scores, kind="stable")
  each = ", ".join(f"{models[i].seed}: {scores[i]:.3f}" for i in order)
  return f"{np.median(scores):.3f}", each


def _codes(run: FinishedRun, num_points: int) -> tuple[np.ndarray, np.ndarray | None]:
  """(means [points, latents], KL of each latent or None) of a model."""
  model, data = open_model(run)
  points = data.factors.draw(num_points, np.random.default_rng(0))
  codes, log_variances = model.encode(data.observe(points).numpy())
  if log_variances is None or is_deterministic(log_variances):
    return codes, None
  return codes, latent_use(codes, log_variances)[0]
