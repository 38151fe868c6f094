import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.evaluation import protocols
from disentangle_tf.training import Scoring

MICHLO = protocols.MICHLO_DURING_TRAINING


def _names(measurements):
  return [measurement.name for measurement in measurements]


def test_nothing_is_scored_by_default():
  assert Scoring().due(1000) == [] and Scoring().periods == []


def test_each_measurement_has_its_own_time():
  """Michlo et al.: MIG every 2,400 steps, DCI every 7,200."""
  scoring = Scoring(MICHLO, every={"mig": 2400, "dci": 7200})
  assert scoring.periods == [2400, 7200]
  assert _names(scoring.due(2400)) == _names(scoring.due(4800)) == ["mig"]
  assert _names(scoring.due(7200)) == ["mig", "dci"]
  assert scoring.due(2401) == []


def test_or_all_have_the_same():
  scoring = Scoring(MICHLO, every=10)
  assert _names(scoring.due(20)) == ["mig", "dci"] and scoring.due(15) == []


@pytest.mark.parametrize(
  ("arguments", "words"),
  [
    ({"measurements": ["mig"]}, r"^Scoring\.measurements is \['mig'\]: it must be a"),
    ({"measurements": MICHLO, "every": 0}, r"^Scoring\.every is 0: it must be"),
    (
      {"measurements": MICHLO, "every": {"mig": 5, "dcu": 5}},
      "every names 'dcu', which is not measured; did you mean 'dci'",
    ),
    (
      {"measurements": MICHLO, "every": {"mig": 5}},
      "has no number of steps for 'dci'",
    ),
    (
      {"measurements": MICHLO, "every": {"mig": 5, "dci": 1.5}},
      r"every\['dci'\] is 1.5: it must be",
    ),
  ],
)
def test_what_cannot_be(arguments, words):
  with pytest.raises(UserError, match=words):
    Scoring(**arguments)
