import builtins

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier

from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.lightgbm_trees import (
  lightgbm_classifier,
  lightgbm_importances,
  lightgbm_package,
)

RNG = np.random.default_rng(0)


def test_the_package_or_how_to_install_it(monkeypatch):
  assert lightgbm_package().__name__ == "lightgbm"
  real_import = builtins.__import__

  def without(name, *arguments, **options):
    if name == "lightgbm":
      raise OSError("libgomp.so.1: cannot open shared object file")
    return real_import(name, *arguments, **options)

  monkeypatch.setattr(builtins, "__import__", without)
  with pytest.raises(UserError, match=r'libgomp.*pip install -e "\.\[fast\]"'):
    lightgbm_package()


@pytest.mark.parametrize("num_values", [2, 3])
def test_importances_are_near_those_of_scikit_learn(num_values):
  labels = RNG.integers(num_values, size=600)
  strengths = np.array([2.0, 1.0, 0.0])
  codes = labels[:, None] * strengths + RNG.normal(size=(600, 3))
  model = lightgbm_classifier(0).fit(codes, labels)
  used = lightgbm_importances(model)
  assert used.shape == (3,) and (used >= 0).all()
  stock = GradientBoostingClassifier(random_state=0).fit(codes, labels)
  np.testing.assert_allclose(used / used.sum(), stock.feature_importances_, atol=0.1)
  assert np.argsort(-used).tolist() == [0, 1, 2]


def test_one_split_is_weighed_by_what_it_gains():
  """A tree of one split: the squared sums of its leaves over their points."""
  labels = np.repeat([0, 1], [30, 10])
  codes = np.stack([labels * 1.0, np.zeros(40)], axis=1)
  model = lightgbm_classifier(0).set_params(n_estimators=1).fit(codes, labels)
  # Gradients are p - y with p = 1/4: 30 of 1/4 and 10 of -3/4, which sum to 0.
  expected = (30 / 4) ** 2 / 30 + (10 * 3 / 4) ** 2 / 10
  expected *= 0.1**2  # values of leaves are at the learning rate
  assert lightgbm_importances(model) == pytest.approx([expected, 0.0], rel=1e-4)


def test_settings_are_those_of_scikit_learn():
  ours = lightgbm_classifier(7).get_params()
  stock = GradientBoostingClassifier().get_params()
  for name in ("max_depth", "n_estimators", "learning_rate"):
    assert ours[name] == stock[name]
  assert ours["min_child_samples"] == stock["min_samples_leaf"] == 1
  assert (ours["random_state"], ours["n_jobs"]) == (7, 1)
