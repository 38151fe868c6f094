import numpy as np
import pytest

from disentangle_tf import metrics
from disentangle_tf.errors import UserError


def test_mean_variances_decide():
  """Means 0.5, 0.79, 0.81 and 1; of the second, half of the points are above 1."""
  variances = np.array([[0.5, 0.3, 0.81, 1.0], [0.5, 1.28, 0.81, 1.0]])
  found = metrics.active_latents(np.log(variances))
  assert found == {"active_latents_by_variance": 2.0}
  found = metrics.active_latents(np.log(variances), threshold=0.9)
  assert found == {"active_latents_by_variance": 3.0}


def test_a_deterministic_encoder_uses_all():
  found = metrics.active_latents(np.full((5, 3), -87.3))
  assert found == {"active_latents_by_variance": 3.0}


def test_the_threshold_is_a_positive_number():
  with pytest.raises(UserError, match="active_latents.threshold is 0"):
    metrics.active_latents(np.zeros((2, 2)), threshold=0)
