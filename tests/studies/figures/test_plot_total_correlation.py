import numpy as np
import pytest
from study_figure_checks import run_figure_test, small_study

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import total_correlation_curves
from disentangle_tf.studies.figures import plot_total_correlation
from disentangle_tf.studies.results_table import select


def test_promises():
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
