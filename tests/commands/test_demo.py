import json
import os
import subprocess

import pytest
from command_calls import ROOT, call

from disentangle_tf.commands import demo
from disentangle_tf.commands.demo_report import SCORES


@pytest.fixture
def asked(monkeypatch):
  """Records the runs and the report; each run has the scores 0.1 * (its seed + 1)."""
  asked = {"trained": [], "shown": []}

  def train_and_score(plan, folder):  # `read_run` below gives the plan itself
    asked["trained"].append((folder, plan.files, plan.bindings))
    (folder / "scores").mkdir()
    scores = {"scores": dict.fromkeys(SCORES, 0.1 * (plan.seed + 1))}
    (folder / "scores" / "scores.json").write_text(json.dumps(scores))

  def write_report(path, exports, scores, *, num_seeds):
    asked["shown"].append((path, exports, scores, num_seeds))

  monkeypatch.setattr(demo, "read_run", lambda plan: plan)
  monkeypatch.setattr(demo, "train_and_score", train_and_score)
  monkeypatch.setattr(demo, "write_report", write_report)
  return asked


def test_both_losses_with_every_seed_and_their_medians(asked, tmp_path, capsys):
  folder = tmp_path / "demo"
  assert call(demo.main, "--seeds", 3, "--output_dir", folder) == 0
  assert asked["trained"] == [
    (folder / loss / f"seed_{seed}", (f"gin/runs/demo_{loss}.gin",), (f"SEED={seed}",))
    for seed in range(3)
    for loss in ("mse", "overlap")
  ]
  summary = json.loads((folder / "summary.json").read_text())
  for loss in ("mse", "overlap"):
    assert summary[loss]["mig"] == pytest.approx(0.2)
    assert [each["mig"] for each in summary["seeds"][loss]] == pytest.approx(
      [0.1, 0.2, 0.3]
    )
  ((path, exports, medians, num_seeds),) = asked["shown"]
  assert (path, num_seeds) == (folder / "report.html", 3)
  assert exports["overlap"] == folder / "overlap" / "seed_0" / "export"
  assert medians == {loss: summary[loss] for loss in ("mse", "overlap")}
  told = capsys.readouterr().out
  assert "median of 3 seeds" in told and str(folder / "report.html") in told
  (line,) = [line for line in told.splitlines() if line.startswith("overlap ")]
  assert line.split()[1:] == ["0.200"] * len(SCORES)
  assert call(demo.main, "--seeds", 3, "--output_dir", folder) == 0
  assert len(asked["trained"]) == 6  # finished runs are kept


def test_zero_seeds_are_refused(asked, tmp_path, capsys):
  assert call(demo.main, "--seeds", 0, "--output_dir", tmp_path / "demo") == 2
  assert "--seeds is 0: it must be 1 or more" in capsys.readouterr().err
  assert not asked["trained"] and not (tmp_path / "demo").exists()


@pytest.mark.slow
def test_demo_shows_the_papers_result(tmp_path):
  environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
  subprocess.run(
    [ROOT / "bin" / "demo", "--output_dir", tmp_path / "demo"],
    check=True,
    env=environment,
    cwd=tmp_path,
  )
  summary = json.loads((tmp_path / "demo" / "summary.json").read_text())
  assert summary["mse"]["mig"] <= 0.1
  assert summary["overlap"]["mig"] > summary["mse"]["mig"] + 0.2
  report = (tmp_path / "demo" / "report.html").read_text()
  assert report.count("data:image/png;base64,") == 6
