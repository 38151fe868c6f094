import threading
import warnings

import numpy as np
import pytest
import threadpoolctl
from sklearn.exceptions import ConvergenceWarning

from disentangle_tf import progress
from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.contract import TimeLimitError, time_limit
from disentangle_tf.metrics.parts.fitting import (
  FitPool,
  Progress,
  check_splits,
  class_splits,
  num_values,
  quiet_fits,
  standardise,
)


def test_points_to_fit_and_to_test_have_the_same_columns():
  codes, factors = np.zeros((3, 2)), np.zeros((3, 2), int)
  splits = check_splits(codes, factors, codes[:1], factors[:1])
  assert [part.shape for part in splits] == [(3, 2), (3, 2), (1, 2), (1, 2)]
  with pytest.raises(UserError, match="2 latents to fit and 1 to test"):
    check_splits(codes, factors, codes[:, :1], factors)
  with pytest.raises(UserError, match="2 factors to fit and 1 to test"):
    check_splits(codes, factors, codes, factors[:, :1])


def test_classes_are_numbered_over_both_splits():
  codes = np.zeros((3, 1))
  _, train, _, test = class_splits(codes, [[3], [9], [3]], codes, [[9], [5], [3]])
  assert train[:, 0].tolist() == [0, 2, 0]
  assert test[:, 0].tolist() == [2, 1, 0]


def test_both_splits_are_standardised_by_the_points_to_fit():
  codes, test_codes = np.array([[1, 7], [3, 7]]), np.array([[5, 8]])
  train, test = standardise(codes, test_codes)
  assert train.tolist() == [[-1, 0], [1, 0]]  # a constant latent has no spread
  assert test.tolist() == [[3, 1]]


def test_a_continuous_factor_has_twenty_classes():
  values = np.linspace(0, 1, 400)[:, None]
  _, train, _, test = class_splits(values, values, values[:1], values[:1])
  assert np.bincount(train[:, 0]).tolist() == [20] * 20
  assert test.tolist() == [[0]]


def test_values_are_counted():
  assert num_values(np.array([[1, 5], [1, 6], [1, 5]])).tolist() == [1, 2]


@pytest.mark.parametrize("num_jobs", [1, 3, -1])
def test_results_are_in_the_order_of_the_jobs(num_jobs):
  with FitPool(num_jobs, title="test") as pool:
    found = pool.map(
      lambda job, progress: 10 * job, [3, 1, 2], costs=[1, 5, 1], names="abc"
    )
  assert found == [30, 10, 20]


def test_costly_jobs_begin_first():
  begun = []
  with FitPool(1, title="test") as pool:
    pool.map(
      lambda job, progress: begun.append(job), "abcd", costs=[1, 3, 2, 3], names="abcd"
    )
  assert begun == ["b", "d", "c", "a"]


def test_jobs_run_at_the_same_time():
  barrier = threading.Barrier(2, timeout=20)  # two threads must reach it together
  with FitPool(2, title="test") as pool:
    pool.map(lambda job, progress: barrier.wait(), "ab", costs=[1, 1], names="ab")


@pytest.mark.parametrize("num_jobs", [0, -2, 1.5, "all"])
def test_jobs_are_counted(num_jobs):
  with pytest.raises(UserError, match=r"^test\.num_jobs is "):
    FitPool(num_jobs, title="test")


def test_a_limit_stops_the_next_job():
  begun = []
  pool = FitPool(1, title="test")
  with pool, time_limit(-1), pytest.raises(TimeLimitError):
    pool.map(lambda job, progress: begun.append(job), "ab", costs=[1, 1], names="ab")
  assert not begun


def test_the_bar_says_what_is_fitted(capsys, monkeypatch):
  monkeypatch.setattr(progress, "_SECONDS_TO_BAR", 0)
  monkeypatch.setattr(progress, "_SECONDS_IN_A_LOG", 0.1)
  with FitPool(1, title="A title", advice="some advice") as pool:
    pool.map(lambda job, progress: None, [0], costs=[1], names=["the job"])
  shown = capsys.readouterr().err
  assert "A title, the job; some advice" in shown and "100%" in shown


class Bar:
  """A progress bar that adds up its updates."""

  total = 0

  def update(self, amount):
    self.total += amount


def test_stages_of_boosting_and_the_end_make_the_whole_of_a_job():
  class Model:
    n_estimators = 3

  bar = Bar()
  part = Progress(bar, 100)
  for stage in range(2):
    part(stage, Model(), {})
  assert bar.total == 66
  part.finish()
  assert bar.total == 100


def test_fits_are_quiet_and_take_one_thread():
  with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    with quiet_fits():
      warnings.warn("stopped early", ConvergenceWarning, stacklevel=1)
      pools = threadpoolctl.threadpool_info()
    warnings.warn("stopped early", ConvergenceWarning, stacklevel=1)
  assert len(caught) == 1
  assert {p["num_threads"] for p in pools if p["user_api"] == "blas"} == {1}
