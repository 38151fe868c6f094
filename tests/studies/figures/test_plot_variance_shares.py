import numpy as np
from study_figure_checks import maps_of, run_figure_test, small_study

from disentangle_tf.studies.analyses import variance_shares
from disentangle_tf.studies.figures import plot_variance_shares


def test_promises():
  run_figure_test(plot_variance_shares, resamples=10, scores=("mig", "sap"))


def test_shares_beside_their_baselines():
  table = small_study()
  found = plot_variance_shares(table, resamples=10)
  maps = maps_of(found["variance_shares"])
  assert [axis.get_title() for axis in maps] == [
    f"Method\nn = 36\nno effect: {100 * 5 / 35:.1f} %",
    f"Method and strength\nn = 36\nno effect: {100 * 11 / 35:.1f} %",
  ]
  shares = variance_shares(table, resamples=0)
  np.testing.assert_allclose(maps[1].images[0].get_array(), 100 * shares.setting.values)
  mean = f"method {100 * shares.method.values.mean():.0f} %"
  assert f"Mean over data sets and scores: {mean}" in found["variance_shares.md"]
  assert found["variance_shares.md"].count("no effect") == 2
