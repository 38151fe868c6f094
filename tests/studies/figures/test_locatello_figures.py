"""Figures and tables of Locatello et al. show the numbers of their analyses."""

import numpy as np
import pytest
from study_tables import made_up_study, row_of, shuffled, without_a_tenth

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.studies import analyses, figures
from disentangle_tf.studies.paper_names import METRICS
from disentangle_tf.studies.results_table import ResultsTable

_TWO = {"scores": ("mig", "sap")}  # panels are what takes time
_QUICK = {"resamples": 10, **_TWO}
_PLOTS = {
  "plot_total_correlation": {},
  "plot_mean_against_sampled": {},
  "plot_metric_agreement": _QUICK,
  "plot_score_against_method": _TWO,
  "plot_score_against_strength": _TWO,
  "plot_unsupervised_scores": _QUICK,
  "plot_transfer_between_data": _QUICK,
  "plot_transfer_of_settings": {**_QUICK, "draws": 100},
  "plot_downstream": _QUICK,
  "plot_variance_shares": _QUICK,
  "plot_score_summary": _TWO,
}


def _table(**options):
  return made_up_study(num_strengths=2, num_seeds=3, **options)


def _drawn(figure):
  """All that a figure shows, as text."""
  parts = [figure.get_supxlabel()]
  for axis in figure.axes:
    parts += [axis.get_title(), axis.get_ylabel()]
    parts += [text.get_text() for text in axis.texts]
    parts += [line.get_xydata().tobytes() for line in axis.get_lines()]
    parts += [np.asarray(each.get_offsets()).tobytes() for each in axis.collections]
    parts += [image.get_array().tobytes() for image in axis.images]
  return parts


@pytest.mark.parametrize("name", _PLOTS)
def test_promises(name):
  """Captions say what is missing; the order of rows changes nothing."""
  plot, table = getattr(figures, name), without_a_tenth(_table())
  found = plot(table, **_PLOTS[name])
  again = plot(shuffled(table), **_PLOTS[name])
  assert found.keys() == again.keys() and found
  for file, figure in found.items():
    assert file.endswith(".md") == isinstance(figure, str)
    words = figure if isinstance(figure, str) else figure.get_supxlabel()
    words = words.replace("\n", " ")
    assert "Last evaluation of each training" in words
    assert "are missing or lack a score" in words
    assert "nan" not in words
    if isinstance(figure, str):
      assert figure == again[file]
    else:
      assert _drawn(figure) == _drawn(again[file])


@pytest.mark.parametrize("name", ["plot_metric_agreement", "plot_transfer_of_settings"])
def test_partial_studies_can_be_drawn(name):
  plot, table = getattr(figures, name), without_a_tenth(_table())
  for file, figure in plot(table, **_PLOTS[name]).items():
    if not file.endswith(".md"):
      assert plots.figure_to_png(figure, dpi=30).startswith(b"\x89PNG")


def test_total_correlation():
  table = _table()
  found = figures.plot_total_correlation(table)
  assert list(found) == [
    "total_correlation_sampled", "total_correlation_sampled_with_annealed_vae",
    "total_correlation_mean", "total_correlation_mean_with_annealed_vae",
  ]  # fmt: skip
  curves = analyses.total_correlation_curves(table, sampled=True)
  axis = found["total_correlation_sampled"].axes[1]
  assert axis.get_title() == "Color-dSprites" and len(axis.get_lines()) == 5
  for line, curve in zip(
    axis.get_lines(), curves["color_dsprites"].values(), strict=True
  ):
    np.testing.assert_array_equal(line.get_ydata(), curve.y)
  without = table.select(method=["beta-VAE", "DIP-VAE-I"])
  assert len(figures.plot_total_correlation(without)) == 2


def test_mean_against_sampled():
  figure = figures.plot_mean_against_sampled(_table())["mean_against_sampled"]
  assert [axis.get_title() for axis in figure.axes] == [
    "dSprites", "Color-dSprites", "Noisy-dSprites",
  ]  # fmt: skip
  assert figure.axes[0].get_lines()[0].get_slope() == 1
  assert sum(len(each.get_offsets()) for each in figure.axes[0].collections) == 36
  assert figure.axes[0].texts[0].get_text() == "n = 36"


def test_metric_agreement():
  table = _table()
  found = figures.plot_metric_agreement(table, resamples=10)
  panels = analyses.metric_agreement(table, resamples=0)
  maps = [axis for axis in found["metric_agreement"].axes if axis.images]
  assert [axis.get_title() for axis in maps][0] == "dSprites\nn = 36"
  for axis, panel in zip(maps, panels.values(), strict=True):
    np.testing.assert_allclose(axis.images[0].get_array(), 100 * panel.values)
  assert len(found["metric_scatter"].axes) == 36
  assert found["metric_scatter"].axes[0].get_title() == "BetaVAE score"
  assert "**dSprites** (n = 36)" in found["metric_agreement.md"]
  assert "| MIG |" in found["metric_agreement.md"]


def test_score_against_method_and_strength():
  found = figures.plot_score_against_method(_table())
  medians, models = found.values()
  assert len(medians.axes) == len(models.axes) == 3 * len(METRICS)
  assert medians.axes[0].texts[0].get_text() == "n = 12"
  assert models.axes[0].texts[0].get_text() == "n = 36"
  strength = figures.plot_score_against_strength(_table())["score_against_strength"]
  assert len(strength.axes) == 18 and len(strength.axes[0].get_lines()) == 6
  assert strength.axes[0].get_ylabel() == "dSprites"


def test_unsupervised_scores_that_were_not_taken_are_left_out():
  table = _table()
  scores = [score for score in table.names("score") if score != "elbo"]
  found = figures.plot_unsupervised_scores(table.select(score=scores), resamples=10)
  labels = found["unsupervised_scores"].axes[0].get_yticklabels()
  assert [label.get_text() for label in labels] == [
    "Reconstruction", "KL", "TC (sampled)",
  ]  # fmt: skip
  assert "ELBO" not in found["unsupervised_scores.md"]


def test_transfer_between_data():
  found = figures.plot_transfer_between_data(_table(), resamples=10)
  maps = [axis for axis in found["transfer_between_data"].axes if axis.images]
  assert len(maps) == 6 and maps[2].get_title() == "MIG\nn = 12"
  assert len(found["transfer_scatter"].axes) == 2 * 6
  assert found["transfer_scatter"].axes[0].get_ylabel() == "Color-dSprites"
  with pytest.raises(UserError, match="needs two data sets"):
    figures.plot_transfer_between_data(_table(data=("dsprites",)))


def test_transfer_of_settings_has_its_chance_level():
  table = _table()
  found = figures.plot_transfer_of_settings(table, draws=200, resamples=10)
  exact = analyses.transfer_of_settings(table, resamples=0)
  text = found["transfer_of_settings.md"]
  for value in exact.exact.compressed():
    assert f"{100 * value:.1f} %" in text
  assert f"chance {100 * 13 / 24:.1f} %" in text and "share of 200 draws" in text
  cells = [each.get_text() for each in found["transfer_of_settings"].axes[0].texts]
  assert cells[1:4] == ["other data set", "same data set", "other metric"]
  assert len(cells) == 9


def test_downstream():
  found = figures.plot_downstream(_table(), resamples=10)
  assert list(found) == [
    "downstream_agreement", "downstream_agreement.md",
    "efficiency_logistic_regression", "efficiency_boosted_trees",
  ]  # fmt: skip
  image = found["downstream_agreement"].axes[0].images[0].get_array()
  assert image.shape == (6, 10)
  assert len(found["efficiency_boosted_trees"].axes) == 18
  scores = [s for s in _table().names("score") if "boosting" not in s]
  fewer = _table().select(score=scores)
  fewer = figures.plot_downstream(fewer, resamples=0, scores=("mig",))
  assert "efficiency_boosted_trees" not in fewer


def test_variance_shares_have_their_baseline():
  found = figures.plot_variance_shares(_table(), resamples=10)
  titles = [axis.get_title() for axis in found["variance_shares"].axes if axis.images]
  assert titles == [
    f"Method\nn = 36; no effect: {100 * 5 / 35:.1f} %",
    f"Method and strength\nn = 36; no effect: {100 * 11 / 35:.1f} %",
  ]
  assert "no effect" in found["variance_shares.md"]
  assert "Mean over data sets and scores: method" in found["variance_shares.md"]


def test_best_and_last_evaluations():
  rows = [
    row_of(data, "m", 0, seed, score, step / 10 if step < 3 else 0.05, step=step)
    for data in ("a", "b")
    for seed in range(3)
    for score in ("mig", "sap")
    for step in (1, 2, 3)
  ]
  table = ResultsTable.from_rows(rows)
  for which, value in (("best", 0.2), ("last", 0.05)):
    found = figures.plot_score_against_strength(table, which=which)
    (figure,) = found.values()
    assert figure.axes[0].get_lines()[0].get_ydata().tolist() == [value]
    assert which.capitalize() in figure.get_supxlabel()


def test_a_table_without_the_scores_is_refused():
  table = _table().select(score="mig")
  for name in (
    "plot_total_correlation",
    "plot_mean_against_sampled",
    "plot_downstream",
  ):
    with pytest.raises(UserError, match=f"{name} needs one of "):
      getattr(figures, name)(table)


def test_score_summary():
  table = _table().select(strength=1)
  found = figures.plot_score_summary(table)
  wide = table.pivot(["mig"])
  chosen = (wide.method == "FactorVAE") & (wide.data == "dsprites")
  values = wide.values.data[chosen, 0]
  cell = f"{values.mean():.2f} ± {values.std(ddof=1):.2f}"
  assert cell in found["score_summary.md"]
  texts = [text.get_text() for text in found["score_summary_dsprites"].axes[0].texts]
  assert cell in texts and "FactorVAE" in texts
