import json
import pathlib
import subprocess
import sys

import pytest

from disentangle_tf.foreign.scan.scan_in_child import look_at

GOLDEN = pathlib.Path(__file__).parents[2] / "golden/foreign"
# Who wrote it: (kind to look as, kind to load as, tags, names of what it offers).
MODELS = {
  "jax_native": ("saved_model", "saved_model", None, ["serving_default"]),
  "hub": ("saved_model", "saved_model", [], ["gaussian_encoder"]),
  "keras_2.keras": ("keras", "keras_2", None, ["keras"]),
}


@pytest.mark.parametrize("name", MODELS)
def test_files_of_others(name):
  kind, load_as, tags, offers = MODELS[name]
  found = json.loads(json.dumps(look_at(kind, GOLDEN / name)))  # as it is sent
  assert (found["kind"], found["tags"]) == (load_as, tags)
  assert [offer["name"] for offer in found["offers"]] == offers
  assert found["verdict"]["findings"] == []
  assert any(found["verdict"]["looked_at"].values())


def test_messages_of_tensorflow_without_tensorflow():
  program = (
    "import sys\n"
    "from disentangle_tf.foreign.scan.scan_in_child import forgo_tensorflow, look_at\n"
    "forgo_tensorflow()\n"
    "look_at('saved_model', sys.argv[1])\n"
    "assert 'tensorflow.core.protobuf.saved_model_pb2' in sys.modules\n"
    "assert 'tensorflow.python' not in sys.modules\n"
  )
  subprocess.run([sys.executable, "-c", program, GOLDEN / "hub"], check=True)
