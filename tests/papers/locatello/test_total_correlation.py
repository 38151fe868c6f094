import functools

import numpy as np
import pytest
from study_figure_checks import run_figure_test, small_study
from study_tables import made_up_study, run_analysis_test, table_of

from disentangle_tf.errors import UserError
from disentangle_tf.metrics._total_correlation import gaussian_total_correlation
from disentangle_tf.papers.locatello import (
  mean_against_sampled,
  plot_mean_against_sampled,
  plot_total_correlation,
  total_correlation_curves,
)
from disentangle_tf.studies.results_table import select

_SCORES = ("sampled_gaussian_total_correlation", "gaussian_total_correlation")


def test_promises():
  run_analysis_test(mean_against_sampled, made_up_study(num_strengths=2, num_seeds=3))


def test_equal_total_correlations_lie_on_the_identity():
  values = np.random.default_rng(0).random((1, 2, 2, 2, 3)) + 0.1
  panels, left_out = mean_against_sampled(
    table_of(np.concatenate([values, values]), scores=_SCORES)
  )
  assert left_out == 0 and list(panels) == ["set 0", "set 1"]
  for methods in panels.values():
    for points in methods.values():
      assert points.shape == (6, 2)
      np.testing.assert_array_equal(points[:, 0], points[:, 1])


def test_x_is_sampled_and_y_is_mean_in_logarithms():
  values = np.stack([np.full((1, 1, 1, 1), np.e), np.full((1, 1, 1, 1), np.e**3)])
  panels, _ = mean_against_sampled(table_of(values, scores=_SCORES))
  np.testing.assert_allclose(panels["set 0"]["method 0"], [[1, 3]])


def test_zeros_have_no_logarithm_and_are_counted():
  values = np.ones((2, 1, 1, 1, 4))
  values[1, ..., 0] = 0
  panels, left_out = mean_against_sampled(table_of(values, scores=_SCORES))
  assert left_out == 1 and len(panels["set 0"]["method 0"]) == 3


@pytest.mark.parametrize("sampled", [True, False])
def test_total_correlation_curves_promises(sampled):
  analysis = functools.partial(total_correlation_curves, sampled=sampled)
  run_analysis_test(analysis, made_up_study(num_strengths=3, num_seeds=3))


def test_the_line_of_medians():
  noise = np.random.default_rng(0).normal(size=(1, 2, 2, 6, 51))
  noise -= np.median(noise, axis=-1, keepdims=True)
  falling = 5.0 - np.arange(6)[:, None] + noise
  table = table_of(np.concatenate([falling, 10 - falling]), scores=_SCORES)
  for sampled, line in ((True, [5, 4, 3, 2, 1, 0]), (False, [5, 6, 7, 8, 9, 10])):
    panels = total_correlation_curves(table, sampled=sampled)
    assert list(panels) == ["set 0", "set 1"]
    for curve in panels["set 1"].values():
      np.testing.assert_allclose(curve.y, line, atol=1e-12)
      assert curve.x.tolist() == [0, 1, 2, 3, 4, 5] and (curve.counts == 51).all()


def test_annealed_vae_is_in_figures_15_and_16_only():
  table = made_up_study(num_strengths=2, num_seeds=2)
  assert len(total_correlation_curves(table, sampled=True)["dsprites"]) == 5
  with_all = total_correlation_curves(table, sampled=True, without=())["dsprites"]
  assert len(with_all) == 6 and "AnnealedVAE" in with_all


def test_total_correlation_of_two_latents():
  covariance = np.array([[1, 0.8], [0.8, 1]])
  assert gaussian_total_correlation(covariance) == pytest.approx(0.5108, abs=1e-4)
  assert gaussian_total_correlation(covariance) == pytest.approx(
    -0.5 * np.log(1 - 0.8**2)
  )


def test_plot_total_correlation_promises():
  run_figure_test(plot_total_correlation)


def test_medians_with_and_without_annealed_vae():
  table = small_study()
  found = plot_total_correlation(table)
  assert list(found) == [
    "total_correlation_sampled", "total_correlation_sampled_with_annealed_vae",
    "total_correlation_mean", "total_correlation_mean_with_annealed_vae",
  ]  # fmt: skip
  curves = total_correlation_curves(table, sampled=True)["color_dsprites"]
  axis = found["total_correlation_sampled"].axes[1]
  assert axis.get_title() == "Color-dSprites" and len(axis.get_lines()) == 5
  for line, curve in zip(axis.get_lines(), curves.values(), strict=True):
    np.testing.assert_array_equal(line.get_ydata(), curve.y)
  without = select(table, method=["beta-VAE", "DIP-VAE-I"])
  assert len(plot_total_correlation(without)) == 2


def test_a_table_without_it_is_refused():
  with pytest.raises(UserError, match="plot_total_correlation needs one of sampled_"):
    plot_total_correlation(select(small_study(), score="mig"))


def test_plot_mean_against_sampled_promises():
  run_figure_test(plot_mean_against_sampled)


def test_one_point_per_model_and_the_identity():
  figure = plot_mean_against_sampled(small_study())["mean_against_sampled"]
  assert [axis.get_title() for axis in figure.axes] == [
    "dSprites", "Color-dSprites", "Noisy-dSprites",
  ]  # fmt: skip
  axis = figure.axes[0]
  assert axis.get_lines()[0].get_slope() == 1
  assert sum(len(each.get_offsets()) for each in axis.collections) == 36
  assert axis.texts[0].get_text() == "n = 36"


def test_zeros_are_counted_in_the_caption():
  values = np.ones((2, 1, 1, 1, 4))
  values[0, ..., :2] = 0
  scores = ("gaussian_total_correlation", "sampled_gaussian_total_correlation")
  found = plot_mean_against_sampled(table_of(values, scores=scores))
  words = found["mean_against_sampled"].get_supxlabel().replace("\n", " ")
  assert words.startswith("2 models with a total correlation of 0 are left out.")


def test_a_table_without_one_of_them_is_refused():
  table = select(small_study(), score="gaussian_total_correlation")
  with pytest.raises(
    UserError, match="plot_mean_against_sampled needs one of sampled_"
  ):
    plot_mean_against_sampled(table)
