import pytest

from disentangle_tf.commands.changed_setting import changed_setting
from disentangle_tf.errors import UserError

TEXT = """\
from disentangle_tf import data

# Macros:
# ==============================================================================
BETA = 0.5
STEPS = 100

# Parameters for training.train:
# ==============================================================================
training.train.steps = %STEPS
training.Watching.log_every = 100
networks.mlp_encoder.units = \\
    (256, 256)
"""


def test_a_text_agrees_with_itself_however_its_lines_are_broken():
  assert changed_setting(TEXT, TEXT) is None
  assert changed_setting(TEXT, TEXT.replace("= \\\n    (", "= (")) is None
  assert changed_setting(TEXT, TEXT.replace("# Macros:", "# Nothing:")) is None


@pytest.mark.parametrize("steps", ["STEPS = 100", "training.train.steps = %STEPS"])
def test_the_number_of_steps_may_change(steps):
  name = steps.partition(" =")[0]
  assert changed_setting(TEXT, TEXT.replace(steps, f"{name} = 200")) is None


@pytest.mark.parametrize(
  ("old", "new", "told"),
  [
    ("BETA = 0.5", "BETA = 0.7", "BETA = 0.5"),
    ("BETA = 0.5\n", "", "BETA = 0.5"),
    ("log_every = 100", "log_every = 20", "training.Watching.log_every = 100"),
    ("(256, 256)", "(256, 8)", "networks.mlp_encoder.units = (256, 256)"),
  ],
)
def test_any_other_setting_may_not(old, new, told):
  assert changed_setting(TEXT, TEXT.replace(old, new)) == told


SCHEDULED = f"""\
{TEXT}
LENGTH = %STEPS
schedules.Linear.steps = %LENGTH
"""


@pytest.mark.parametrize(
  ("text", "name"),
  [
    (SCHEDULED, "schedules.Linear.steps"),
    (f"{TEXT}\nlate/schedules.Switch.steps = %STEPS\n", "late/schedules.Switch.steps"),
    (f"{TEXT}\nmine.rates.ends = (10, %STEPS)\n", "mine.rates.ends"),
  ],
)
def test_a_schedule_keeps_its_length(text, name):
  assert changed_setting(text, text) is None
  longer = text.replace("STEPS = 100", "STEPS = 200")
  with pytest.raises(UserError, match=f"^{name} follows STEPS") as error:
    changed_setting(text, longer)
  assert "STEPS=100 and training.train.steps=200" in str(error.value)
  alone = text.replace("train.steps = %STEPS", "train.steps = 200")
  assert changed_setting(text, alone) is None


def test_any_other_change_is_told_first():
  other = SCHEDULED.replace("STEPS = 100", "STEPS = 200").replace("0.5", "0.7")
  assert changed_setting(SCHEDULED, other) == "BETA = 0.5"
