import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import swept_value


@pytest.mark.parametrize(
  ("setting", "name", "value"),
  [
    ("BETA=4.0", "BETA", 4.0),
    ("BETA=0.00316, data.XYSquares.grid_spacing=3", "grid_spacing", 3.0),
    ("data.XYSquares.grid_spacing=3,BETA=1e-3", "BETA", 0.001),
    ("a.beta=1; b.beta=2", "b.beta", 2.0),
    ("MY_BETA=1, BETA=2", "BETA", 2.0),
    ("ALPHA=-1.5", "ALPHA", -1.5),
  ],
)
def test_numbers_in_settings(setting, name, value):
  assert swept_value(setting, name) == value


@pytest.mark.parametrize(
  ("setting", "name", "value"),
  [
    ("a.BETA=1, b.BETA=2", "a.BETA", 1.0),
    ("a.BETA=1, b.BETA=2", "b.BETA", 2.0),
    ("a.b.BETA=1, c.b.BETA=2", "c.b.BETA", 2.0),
    ("b.BETA=1, BETA=2", "BETA", 2.0),  # its full name
    ("NAME='BETA=3', BETA=2", "BETA", 2.0),
  ],
)
def test_full_names_tell_settings_apart(setting, name, value):
  assert swept_value(setting, name) == value


@pytest.mark.parametrize(
  ("setting", "name"),
  [
    ("a.BETA=1, b.BETA=2", "BETA"),
    ("b.BETA=2, a.BETA=1", "BETA"),
    ("a.b.BETA=1, c.b.BETA=2", "b.BETA"),
    ("a.BETA=1, b.BETA='x'", "BETA"),
  ],
)
def test_a_name_of_two_settings_is_refused(setting, name):
  with pytest.raises(UserError, match=r"name one of .*BETA, .*BETA in full"):
    swept_value(setting, name)


@pytest.mark.parametrize(
  "setting", ["", "GAMMA=1", "BETA=@loss()", "BETA='1'", "BETA=1x"]
)
def test_settings_without_it(setting):
  with pytest.raises(UserError, match="has no number BETA="):
    swept_value(setting, "BETA")
