import dataclasses
import math

import pytest

from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.sandbox.limits import Limits

NAMES = [field.name for field in dataclasses.fields(Limits)]


@pytest.mark.parametrize("value", [0, -1, math.inf, math.nan])
@pytest.mark.parametrize("name", NAMES)
def test_every_limit_is_one(name, value):
  with pytest.raises(UserError, match=f"--limit_{name} is {value}: .* above 0"):
    Limits(**{name: value})


def test_codes_that_are_too_wide():
  limits = Limits(latents=1_000)
  limits.check_latents(1_000)
  with pytest.raises(ModelError, match="codes of 1,001 numbers: at most 1,000 are"):
    limits.check_latents(1_001)
