import pytest

from disentangle_tf.commands.changed_setting import changed_setting

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
