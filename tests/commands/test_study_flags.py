import pytest
from absl import flags

from disentangle_tf.commands.study_flags import study_flags


def _values(*words):
  values = study_flags(["local", "none"])
  return values, values(["study", *words])[1:]


def test_flags_may_follow_the_words():
  values, words = _values("logs", "mine/seed_0", "--output_dir", "runs/mine")
  assert words == ["logs", "mine/seed_0"] and values.output_dir == "runs/mine"


def test_defaults():
  values, _ = _values()
  assert (values.executor, values.slots, values.cores) == ("local", None, None)
  assert (values.workers, values.minutes, values.memory_gib) == (8, 240, 8)
  assert not (values.sample or values.dry_run or values.most_runs or values.seconds)


@pytest.mark.parametrize(
  "word", ["--slots=0", "--workers=0", "--minutes=4", "--cores=0", "--executor=slurm"]
)
def test_values_that_will_not_do(word):
  with pytest.raises(flags.IllegalFlagValueError):
    _values(word)
