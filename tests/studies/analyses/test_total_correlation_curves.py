import functools

import numpy as np
import pytest
from study_tables import made_up_study, run_analysis_test, table_of

from disentangle_tf.metrics.total_correlation import gaussian_total_correlation
from disentangle_tf.studies.analyses import total_correlation_curves

_SCORES = ("sampled_gaussian_total_correlation", "gaussian_total_correlation")


@pytest.mark.parametrize("sampled", [True, False])
def test_promises(sampled):
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
