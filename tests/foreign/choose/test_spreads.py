import numpy as np
import pytest
from made_up_offers import choose, codes, offer


@pytest.mark.parametrize(
  ("values", "role"),
  [(0.25, "variance"), (0.5, "scale"), (np.log(0.5), "log_scale")],
)
def test_spreads_become_log_variances(values, role):
  outputs = codes("m", "s")
  interface = choose(offer(outputs=outputs), output_key=("m", f"{role}=s"))
  found = interface.log_variances(np.array([values], np.float32))
  np.testing.assert_allclose(found, np.log(0.25), rtol=1e-6)


def test_a_spread_of_zero_is_finite():
  interface = choose(offer(outputs=codes("mu", "sigma")))
  assert np.isfinite(interface.log_variances(np.zeros(3, np.float32))).all()
