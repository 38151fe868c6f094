import pytest
from absl import flags

from disentangle_tf.commands.study_flags import check_flags, study_flags
from disentangle_tf.errors import UserError


def _values(*words):
  values = study_flags(["local", "none"])
  return values, values(["study", *words])[1:]


def test_flags_may_follow_the_action():
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
def test_values_that_are_refused(word):
  with pytest.raises(flags.IllegalFlagValueError):
    _values(word)


@pytest.mark.parametrize(
  ("action", "flag", "words"),
  [
    ("run", "--score=mig", "report"),
    ("run", "--most_runs=3", "work"),
    ("status", "--gin_bindings=X=1", "run, plan, plot"),
    ("work", "--gin_file=a.gin", "run, plan, plot"),
    ("collect", "--slots=2", "run, plan"),
    ("plot", "--score=mig", "report"),
    ("report", "--mix_versions", "run, plan, work, collect, plot"),
  ],
)
def test_a_flag_that_the_action_ignores_is_refused(action, flag, words):
  values, _ = _values("--output_dir=x", flag)
  with pytest.raises(
    UserError, match=f"{action} ignores .*, which is a flag of {words}: leave"
  ):
    check_flags(values, action)


def test_flags_that_an_action_reads():
  for action, *given in (
    ("work", "--most_runs=1", "--sample", "--seconds=3"),
    ("plan", "--gin_file=a", "--slots=2", "--workers=3", "--traceback"),
    ("collect", "--from_dlib=x", "--mix_versions"),
    ("logs",),
  ):
    values, _ = _values("--output_dir=x", *given)
    check_flags(values, action)
