import pytest

from disentangle_tf.studies.run_scores import Evaluation, RunScores
from disentangle_tf.studies.titles import title
from disentangle_tf.studies.training_names import TrainingNames, plain_name


def _run(final, *during, scores=("mig",)):
  settings = {} if final is None else {"mig": final}
  evaluations = [
    Evaluation(step, {"mig": 0.5}, {name: own}, {"mig": name})
    for step, (name, own) in enumerate(during)
  ]
  final = Evaluation(9, dict.fromkeys(scores, 0.5), settings, {})
  return RunScores(None, final, evaluations, {})


def _names(run, *others):
  names = TrainingNames([run, *others])
  return [names.name(run, each, "mig") for each in run.during]


@pytest.mark.parametrize(
  ("taken", "name"),
  [
    ({"n": 5, "bins": 20}, "mig"),
    ({"n": 6, "bins": 20}, "mig (n=6)"),
    ({"n": 6, "bins": 3}, "mig (bins=3, n=6)"),
    ({"n": 5}, "mig"),  # the final evaluation says more
    ({"n": 5, "bins": 20, "new": [1, 2]}, "mig (new=1 2)"),
  ],
)
def test_settings_that_differ_from_the_final_ones(taken, name):
  assert _names(_run({"n": 5, "bins": 20}, ("mig", taken))) == [name]


def test_without_a_final_score_all_runs_are_compared():
  here = _run(None, ("mig", {"n": 5, "b": 2}), ("mig", {"n": 5, "b": 2}), scores=())
  assert _names(here) == ["mig", "mig"]
  assert _names(here, _run(None, ("mig", {"n": 5, "b": 2}), scores=())) == ["mig"] * 2
  there = _run(None, ("mig", {"n": 7, "b": 2}), scores=())
  assert _names(here, there) == ["mig (n=5)"] * 2
  assert _names(there, here) == ["mig (n=7)"]


def test_another_measurement_with_a_score_of_the_same_name():
  assert _names(_run({"n": 5}, ("fast_mig", {"n": 5}))) == ["mig (fast_mig)"]


def test_the_name_alone():
  assert plain_name("mig (n=5, b=2)") == plain_name("mig") == "mig"
  assert title("mig (n=5)") == "MIG (n=5)" and title("mine (n=5)") == "mine (n=5)"
