"""Fitting predictors in threads, with a progress bar; checks of their points."""

from __future__ import annotations

import contextlib
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent import futures
from typing import TYPE_CHECKING, TypeVar

import joblib
import numpy as np
import threadpoolctl
import tqdm

from disentangle_tf.arguments import check_count
from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.contract import check_time
from disentangle_tf.metrics.parts.points import (
  check_points,
  factor_classes,
  varying_columns,
)
from disentangle_tf.progress import progress_bar

if TYPE_CHECKING:
  from sklearn.ensemble import GradientBoostingClassifier


Job = TypeVar("Job")
Result = TypeVar("Result")

# liblinear's L1 solver has one random state per process: parallel fits disturb it.
LIBLINEAR = threading.Lock()
_NUM_BINS = 20  # for a continuous factor as classes
_EVERY_CORE = -1
_STEPS = 100  # progress bar steps per unit of cost


def check_splits(
  codes: np.ndarray,
  factors: np.ndarray,
  test_codes: np.ndarray,
  test_factors: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
  """The four arrays, checked: training and test points have the same columns."""
  codes, factors = check_points(codes, factors)
  test_codes, test_factors = check_points(test_codes, test_factors)
  for name, train, test in (
    ("latents", codes, test_codes),
    ("factors", factors, test_factors),
  ):
    if train.shape[1] != test.shape[1]:
      raise UserError(
        f"there are {train.shape[1]} {name} to fit and {test.shape[1]} to test"
      )
  return codes, factors, test_codes, test_factors


def class_splits(
  codes: np.ndarray,
  factors: np.ndarray,
  test_codes: np.ndarray,
  test_factors: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
  """The four arrays, checked, with the factors' values as class numbers.

  A continuous factor (more than 20 values, not all whole numbers) is cut into 20 bins
  of equal width.
  """
  splits = check_splits(codes, factors, test_codes, test_factors)
  codes, factors, test_codes, test_factors = splits
  both = factor_classes(np.concatenate([factors, test_factors]), num_bins=_NUM_BINS)
  return codes, both[: len(factors)], test_codes, both[len(factors) :]


def standardise(
  codes: np.ndarray, test_codes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
  """Both arrays, with the mean and standard deviation of the first, as float32."""
  codes, test_codes = codes.astype(np.float64), test_codes.astype(np.float64)
  mean = codes.mean(axis=0)
  spread = np.where(varying_columns(codes), codes.std(axis=0), 1.0)
  codes, test_codes = (codes - mean) / spread, (test_codes - mean) / spread
  return codes.astype(np.float32), test_codes.astype(np.float32)


def num_values(factors: np.ndarray) -> np.ndarray:
  """Number of values in each column: `[factors]`."""
  return np.array([len(np.unique(factor)) for factor in factors.T])


class FitPool:
  """Threads that fit predictors, with a progress bar if that takes more than 2 s.

  scikit-learn's trees, liblinear and LightGBM release Python's lock while they fit, so
  threads are as fast as processes and copy no data.

  Args:
    num_jobs: number of threads; -1 uses one per core.
    title: beginning of the progress bar's text.
    advice: end of the progress bar's text.
  """

  def __init__(self, num_jobs: int, *, title: str, advice: str = "") -> None:
    if num_jobs != _EVERY_CORE:
      check_count(title, num_jobs=num_jobs)
    self.num_jobs = joblib.effective_n_jobs(num_jobs)
    self.title = title
    self.advice = advice
    self.trees = futures.ThreadPoolExecutor(self.num_jobs)

  def __enter__(self) -> FitPool:
    return self

  def __exit__(self, *exception: object) -> None:
    self.trees.shutdown(cancel_futures=True)

  def map(
    self,
    fit: Callable[[Job, Progress], Result],
    jobs: Sequence[Job],
    *,
    costs: Sequence[int] | np.ndarray,
    names: Sequence[str],
  ) -> list[Result]:
    """Results of `fit(job, progress)` in the jobs' order; costly jobs start first.

    Args:
      fit: takes a job and its `Progress`, which it may ignore.
      jobs: the jobs, of any type.
      costs: expected cost of each job, whole numbers in any unit.
      names: names of the jobs on the progress bar.
    """
    costly_first = np.argsort(-np.asarray(costs), kind="stable")
    with quiet_fits(), _bar(int(sum(costs)) * _STEPS) as bar:

      def run(i: int) -> Result:
        check_time()
        words = [f"{self.title}, {names[i]}", self.advice]
        bar.set_description_str("; ".join(filter(None, words)), refresh=False)
        progress = Progress(bar, int(costs[i]) * _STEPS)
        result = fit(jobs[i], progress)
        progress.finish()
        return result

      # Use threads even if the user's joblib settings prefer processes.
      parallel = joblib.Parallel(self.num_jobs, require="sharedmem")
      results = list(parallel(joblib.delayed(run)(i) for i in costly_first))
    return [results[place] for place in np.argsort(costly_first)]


class Progress:
  """Part of a progress bar for one job; also a `monitor` of scikit-learn's boosting."""

  def __init__(self, bar: tqdm.tqdm, steps: int) -> None:
    self._bar = bar
    self._steps = self._left = steps

  def __call__(
    self, stage: int, model: GradientBoostingClassifier, variables: dict
  ) -> None:
    check_time()
    self._advance(self._steps // model.n_estimators)

  def finish(self) -> None:
    self._advance(self._left)

  def _advance(self, amount: int) -> None:
    self._left -= amount
    self._bar.update(amount)


def _bar(total: int) -> tqdm.tqdm:
  layout = "{desc} {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"
  return progress_bar(total, bar_format=layout)


@contextlib.contextmanager
def quiet_fits() -> Iterator[None]:
  """Use one thread per matrix product; silence warnings of early stops and few points.

  The papers' settings cause both by design. Enter it around all threads, not in each:
  they share Python's warning filters.
  """
  from sklearn.exceptions import ConvergenceWarning

  with threadpoolctl.threadpool_limits(1, user_api="blas"), warnings.catch_warnings():
    warnings.simplefilter("ignore", ConvergenceWarning)
    warnings.simplefilter("ignore", FutureWarning)
    warnings.filterwarnings("ignore", "The number of unique classes is greater")
    yield
