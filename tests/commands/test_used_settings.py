import gin

from disentangle_tf import losses
from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.commands.used_settings import used_settings


def test_what_is_bound_and_was_used_as_plain_values():
  read_configuration(["gin/losses/overlap.gin"], ["losses.box_kernel.radius=2"])
  assert used_settings() == {}
  gin.get_configurable(losses.box_kernel)()
  assert used_settings() == {"losses.box_kernel.radius": 2}
  gin.query_parameter("LOSS/gin.macro.value").scoped_configurable_fn()
  used = used_settings()
  assert used["losses.Overlap.loss"] == "@losses.MSE()"
  assert used["losses.Overlap.kernel"] == "@losses.box_kernel()"
  assert used["ALPHA"] == "None"  # as written; the kernel decides
  assert "losses.Overlap.alpha" not in used  # the macro itself is there
