import numpy as np
import pytest
from study_figure_checks import run_figure_test
from study_tables import row_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.figures import plot_score_violins
from disentangle_tf.studies.results_table import one_step, results_table, select


def _table(methods=("Ada-GVAE", "beta-VAE")):
  rng = np.random.default_rng(0)
  return results_table(
    row_of(
      data, method, 0, seed, score, rng.random(), step=step, setting=f"BETA={beta}"
    )
    for data in ("dsprites", "xysquares")
    for method in methods
    for beta in (0.1, 1.0)
    for seed in range(6)
    for score in ("mig", "disentanglement")
    for step in (2_400, 4_800)
  )


def test_promises():
  run_figure_test(plot_score_violins, _table())


def test_the_best_evaluations_of_all_models():
  table = _table()
  figure = plot_score_violins(table)["score_violins"]
  assert [axis.get_title() for axis in figure.axes] == ["MIG", "DCI disentanglement"]
  axis = figure.axes[0]
  labels = [label.get_text() for label in axis.get_xticklabels()]
  assert labels == ["dSprites", "XYSquares"]
  legend = [text.get_text() for text in figure.legends[0].get_texts()]
  assert legend == ["Ada-GVAE", "β-VAE"]  # the left half first
  assert [text.get_text() for text in axis.texts] == ["12"] * 4
  assert "Best evaluation" in figure.get_supxlabel().replace("\n", " ")
  best = select(
    one_step(table, "best"), score="mig", data="dsprites", method="Ada-GVAE"
  )
  median = axis.get_lines()[1].get_ydata()[0]
  assert median == pytest.approx(np.median(best["value"]))


def test_methods_whose_labels_say_two_things():
  methods = ("beta-VAE, MSE", "beta-VAE, box blur")
  names = {method: tuple(method.split(", ")) for method in methods}
  figure = plot_score_violins(_table(methods), names=names)["score_violins"]
  labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
  assert labels == ["β-VAE"]
  legend = [text.get_text() for text in figure.legends[0].get_texts()]
  assert legend == ["MSE", "box blur"]
  with pytest.raises(UserError, match="names has no method 'beta-VAE, box blur'"):
    plot_score_violins(_table(methods), names={methods[0]: ("a", "b")})
  with pytest.raises(UserError, match="two halves, not a, b, c"):
    plot_score_violins(_table(("a", "b", "c")))
