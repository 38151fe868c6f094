import numpy as np
import pytest
from study_figure_checks import run_figure_test, small_study
from study_tables import table_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.figures import plot_score_against_weight

_WEIGHTS = {"beta-VAE": ("BETA", 2.0)}


def _pruned_study():
  """Five seeds at BETA 1, 2; on the second set 2 and all of them are over-pruned."""
  mig = np.broadcast_to(np.arange(5.0) / 10, (2, 1, 2, 5))
  active = np.full_like(mig, 6.0)
  active[1, 0, 0, :2], active[1, 0, 1] = 5.0, 4.0
  return table_of(
    np.stack([mig, active]),
    scores=("mig", "active_latents_by_variance"),
    data=["original", "modified"],
    methods=["beta-VAE"],
  )


def _figure(table, **options):
  return plot_score_against_weight(table, **options)["score_against_weight"]


def test_promises():
  run_figure_test(plot_score_against_weight, scores=("mig", "sap"))


def test_models_with_too_little_of_a_score_are_left_out_and_counted():
  figure = _figure(
    _pruned_study(),
    weights=_WEIGHTS,
    at_least={"active_latents_by_variance": 6},
    scores=("mig",),
  )
  (axis,) = figure.axes
  original, modified = axis.get_lines()
  np.testing.assert_allclose(original.get_xydata(), [[0.5, 0.2], [1.0, 0.2]])
  np.testing.assert_allclose(modified.get_xydata(), [[0.5, 0.3]])
  texts = [text.get_text() for text in axis.texts]
  assert texts == ["", "", "3/5", "original 10, modified 3 of 10"]
  words = figure.get_supxlabel().replace("\n", " ")
  assert "7 models are left out (active latents below 6)" in words
  assert axis.get_xscale() == "log" and axis.get_xlabel() == "scaled weight"
  assert [tick.get_text() for tick in axis.get_xticklabels()] == ["0.5", "1"]


def test_draws_though_all_are_left_out():
  at_least = {"active_latents_by_variance": 7}
  figure = _figure(_pruned_study(), at_least=at_least, scores=("mig",))
  assert figure.axes[0].texts[-1].get_text() == "original 0 of 10, modified 0 of 10"


def test_all_models_by_default():
  figure = _figure(_pruned_study(), scores=("mig",))
  (axis,) = figure.axes
  assert axis.texts[-1].get_text() == "original 10, modified 10"
  assert "left out" not in figure.get_supxlabel()
  assert axis.get_xlabel() == "strength" and axis.get_xscale() == "linear"


def test_errors():
  table = small_study()
  with pytest.raises(UserError, match="needs one of active; the table has"):
    _figure(table, at_least={"active": 3})
  with pytest.raises(UserError, match="at_least is 3: it must be"):
    _figure(table, at_least=3)
  with pytest.raises(UserError, match="at_least.mig is '5': it must be a number"):
    _figure(table, at_least={"mig": "5"})
  with pytest.raises(UserError, match="weights names no method"):
    _figure(table, weights={"VAE": ("BETA", 1.0)})
