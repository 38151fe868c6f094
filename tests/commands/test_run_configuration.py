import json

import numpy as np
from command_calls import MIG_ALONE

from disentangle_tf.commands.run_configuration import read_run
from disentangle_tf.export import ExportedModel
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.run import train_and_score

TINY = ["STEPS=2", "UNITS=(4,)", "training.Computing.jit_compile=False"]

IMAGES = np.random.default_rng(0).random((3, 16, 16, 2), np.float32)


def test_runs_in_one_process_do_not_depend_on_each_other(tmp_path):
  """The second training of a process gives the weights and scores of the first."""
  (tmp_path / "mig.gin").write_text(MIG_ALONE)
  metrics = str(tmp_path / "mig.gin")
  (plan,) = plan_study(
    {"MSE": ["gin/runs/demo_mse.gin"]}, bindings=TINY, metrics=metrics
  )
  found = []
  for name in ("first", "second"):
    folder = tmp_path / name
    folder.mkdir()
    # Of a worker elsewhere that is gone, or there would be no lease here.
    lock = {"host": "elsewhere", "process": 1}
    (folder / "run.lock").write_text(json.dumps(lock))
    train_and_score(read_run(plan), folder)
    scores = json.loads((folder / "scores" / "scores.json").read_text())["scores"]
    codes, _ = ExportedModel(folder / "export").encode(IMAGES)
    found.append((codes, scores))
  (first, scores), (second, again) = found
  np.testing.assert_array_equal(first, second)
  assert scores == again and list(scores) == ["mig"]
