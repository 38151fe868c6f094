import dataclasses
import json
import subprocess
import sys

import numpy as np
import pytest
from shared_checks import tiny_data, tiny_model

from disentangle_tf import metrics
from disentangle_tf.data import data_to_config
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation import evaluate
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.scoring import Measurement
from disentangle_tf.scoring.codes_table import CodesTable
from disentangle_tf.studies import run_scores
from disentangle_tf.training import Scoring
from disentangle_tf.training.pending_scores import has_pending_scores
from disentangle_tf.training.scorer import SCORES, Scorer

MIG = Measurement(metrics.mig, num_points=100)
UNITS = Measurement(metrics.active_units, num_points=100)


class Log:
  """Stands for the monitor."""

  def __init__(self):
    self.logged = {}

  def scores(self, step, scores):
    self.logged[step] = scores


def _scorer(model, folder, scoring, first_step=0):
  log = Log()
  scorer = Scorer(model, tiny_data(), scoring, folder, log, first_step=first_step)
  return scorer, log


def _lines(folder):
  return [json.loads(line) for line in (folder / "scores.jsonl").open()]


def test_scores_are_those_of_the_model_as_it_is_now(tmp_path):
  model = tiny_model()
  scorer, log = _scorer(model, tmp_path, Scoring([MIG], every=3))
  for step in range(1, 7):
    if step == 4:
      for weight in model.encoder.trainable_variables:
        weight.assign(-2 * weight)
    scorer.score(step)
  assert list(log.logged) == [3, 6]
  table = CodesTable.of_model(LiveModel(model).encode, tiny_data())
  expected = MIG.scores(table, seed=0)
  assert log.logged[6] == pytest.approx(expected)
  assert log.logged[3]["mig"] != pytest.approx(expected["mig"])
  written = {line["step"]: line["scores"] for line in _lines(tmp_path)}
  assert written == log.logged


def test_a_line_says_what_its_scores_were_computed_with(tmp_path):
  """Exactly as scores.json does, so that a study can compare them."""
  scoring = Scoring([MIG, UNITS], every=2)
  scorer, _ = _scorer(tiny_model(), tmp_path, scoring)
  scorer.score(2)
  (line,) = _lines(tmp_path)
  assert {name: m["settings"] for name, m in line["measured"].items()} == {
    m.name: json.loads(json.dumps(m.settings())) for m in (MIG, UNITS)
  }
  listed = [name for m in line["measured"].values() for name in m["scores"]]
  assert sorted(listed) == sorted(line["scores"])
  arrays = tmp_path / "codes.npz"
  factors = tiny_data().factors.to_factors(np.arange(256))
  np.savez(arrays, codes=factors.astype(np.float32), factors=factors)
  final = evaluate(model=arrays, measurements=[MIG], output_dir=tmp_path / "out")
  assert {name: line[name] for name in ("seed", "repeats", "factor_bins")} == {
    name: final[name] for name in ("seed", "repeats", "factor_bins")
  }
  assert line["factors"] == list(tiny_data().factors.names)
  assert line["data"] == data_to_config(tiny_data())


def test_what_is_due_together_is_one_line(tmp_path):
  scoring = Scoring([MIG, UNITS], every={"mig": 2, "active_units": 4})
  scorer, _ = _scorer(tiny_model(), tmp_path, scoring)
  assert scorer.periods == [2, 4]
  scorer.score(2)
  scorer.score(4)
  first, second = _lines(tmp_path)
  assert set(first["scores"]) == {"mig"}
  assert set(second["scores"]) == {"mig", "active_units"}


def test_a_run_that_goes_on_measures_later_steps_anew(tmp_path):
  """It was killed after step 6, in the middle of a line; its checkpoint is of 4."""
  lines = [json.dumps({"step": step, "scores": {"mig": 0.5}}) for step in (2, 4, 6)]
  (tmp_path / "scores.jsonl").write_text("\n".join(lines) + '\n{"step": 8, "sco')
  scorer, _ = _scorer(tiny_model(), tmp_path, Scoring([MIG], every=2), first_step=4)
  assert [line["step"] for line in _lines(tmp_path)] == [2, 4]
  scorer.score(6)
  assert [line["step"] for line in _lines(tmp_path)] == [2, 4, 6]


def test_a_study_collects_the_file_that_is_written():
  assert SCORES == run_scores.TRAINING_SCORES


def test_nothing_is_written_if_nothing_is_asked(tmp_path):
  scorer, log = _scorer(tiny_model(), tmp_path, Scoring())
  scorer.score(1000)
  assert not log.logged and not list(tmp_path.iterdir())


DCI = Measurement(metrics.dci, num_points=60, num_test_points=30)
PAIRS = Measurement(  # asks for codes of given points, which no file can hold
  metrics.beta_vae_score,
  options={"batch_size": 4, "num_train": 20, "num_eval": 20},
  prefix="beta_vae_",
)
NOISY = Measurement(metrics.mig, num_points=100, sampled=True, prefix="sampled_")


def _background(folder, *, first_step=0, in_background=True):
  scoring = Scoring([MIG, DCI, PAIRS, NOISY], every=2, in_background=in_background)
  return _scorer(tiny_model(), folder, scoring, first_step=first_step)


@pytest.fixture(scope="module")
def in_process(tmp_path_factory):
  """The file that the training process writes."""
  folder = tmp_path_factory.mktemp("in_process")
  scorer, _ = _background(folder, in_background=False)
  with scorer:
    for step in range(1, 7):
      scorer.score(step)
  return (folder / "scores.jsonl").read_text()


def test_scores_in_the_background_are_the_same_to_the_last_bit(in_process, tmp_path):
  scorer, log = _background(tmp_path)
  with scorer:
    for step in range(1, 7):
      scorer.score(step)
  assert (tmp_path / "scores.jsonl").read_text() == in_process
  assert list(log.logged) == [2, 4, 6]
  assert {path.name for path in tmp_path.iterdir()} == {"scores.jsonl"}


def test_a_child_that_dies_loses_no_score(in_process, tmp_path, caplog):
  scorer, _ = _background(tmp_path)
  with scorer:
    scorer.score(2)
    scorer._pending._process.kill()
    for step in range(3, 7):
      scorer.score(step)
  assert (tmp_path / "scores.jsonl").read_text() == in_process
  assert [record.message for record in caplog.records] == [
    "the process that computes scores has ended (exit code -9): the training computes "
    "them from now on; training.Scoring.in_background = False does so from the start"
  ]


@pytest.mark.parametrize("in_background", [True, False])
def test_pending_scores_are_taken_when_the_run_is_resumed(
  in_process, tmp_path, in_background
):
  """It was interrupted before its scores; the checkpoint is of step 4."""
  scorer, _ = _background(tmp_path)
  with pytest.raises(KeyboardInterrupt), scorer:
    scorer._pending._in_child = False  # nothing is answered
    scorer._pending.finished = lambda **_: []
    for step in (2, 4, 6):
      scorer.score(step)
    raise KeyboardInterrupt
  assert has_pending_scores(tmp_path)
  scorer, _ = _background(tmp_path, first_step=4, in_background=in_background)
  with scorer:
    for step in (5, 6):
      scorer.score(step)
  assert (tmp_path / "scores.jsonl").read_text() == in_process
  assert not has_pending_scores(tmp_path)


def test_an_error_of_a_metric_is_the_one_it_has_in_process(tmp_path):
  few = Scoring([Measurement(metrics.dci, num_points=1)], every=2, in_background=True)
  scorer, _ = _scorer(tiny_model(), tmp_path, few)
  with (
    pytest.raises(UserError, match="takes more than one value") as in_background,
    scorer,
  ):
    scorer.score(2)
  scorer, _ = _scorer(
    tiny_model(), tmp_path / "..", dataclasses.replace(few, in_background=False)
  )
  with pytest.raises(UserError) as at_once:
    scorer.score(2)
  assert str(in_background.value) == str(at_once.value)


def test_the_scoring_process_loads_no_tensorflow():
  code = (
    "import sys, disentangle_tf.training.scoring_child as _; "
    "sys.exit('tensorflow' in sys.modules)"
  )
  subprocess.run([sys.executable, "-c", code], check=True)
