import json

from disentangle_tf.commands.train_and_score import train_and_score
from disentangle_tf.studies.plan import plan_study

TINY = ["STEPS=2", "UNITS=(4,)", "training.Computing.jit_compile=False"]


def test_runs_in_one_process_do_not_depend_on_each_other(tmp_path):
  """The second training of a process gives the weights and scores of the first."""
  (plan,) = plan_study(
    {"MSE": ["gin/runs/demo_mse.gin"]},
    bindings=TINY,
    metrics="gin/metrics/michlo_during_training.gin",
  )
  found = []
  for name in ("first", "second"):
    folder = tmp_path / name
    folder.mkdir()
    train_and_score(plan, folder)
    manifest = json.loads((folder / "export" / "manifest.json").read_text())
    scores = json.loads((folder / "scores" / "scores.json").read_text())["scores"]
    weights = manifest["sha256"]["variables/variables.data-00000-of-00001"]
    found.append((weights, scores))
  assert found[0] == found[1]
  assert {"mig", "disentanglement"} <= set(found[0][1])
