import numpy as np
import tensorflow as tf
from shared_checks import tiny_data

from disentangle_tf.data import Batches


def test_plain_tensorflow_reads_it(exported):
  folder, model = exported
  loaded = tf.saved_model.load(str(folder))
  images = Batches(tiny_data(), batch_size=3).make(0)
  for signature in ("encode", "serving_default"):
    outputs = loaded.signatures[signature](images=images)
    assert set(outputs) == {"mean", "log_variance"}
    np.testing.assert_allclose(outputs["mean"], model.encode(images).mean(), atol=1e-6)
  decoded = loaded.signatures["decode"](codes=outputs["mean"])["images"].numpy()
  assert decoded.min() >= 0 and decoded.max() <= 1


def test_no_input_and_output_share_a_name(exported):
  """As ONNX, to which others convert them, would not have."""
  for signature in tf.saved_model.load(str(exported[0])).signatures.values():
    _, inputs = signature.structured_input_signature
    assert not set(inputs) & set(signature.structured_outputs)
