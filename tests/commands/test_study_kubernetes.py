"""bin/study.py accepts the commands in the manifests of docs/kubernetes.md."""

import pytest
import yaml
from command_calls import ROOT, call

from disentangle_tf.commands import study


@pytest.fixture
def manifests():
  text = (ROOT / "docs" / "kubernetes.md").read_text(encoding="utf-8")
  blocks = [part.split("```")[0] for part in text.split("```yaml\n")[1:]]
  found = [each for block in blocks for each in yaml.safe_load_all(block)]
  return {each["metadata"]["name"]: each for each in found}


def _container(job):
  (container,) = job["spec"]["template"]["spec"]["containers"]
  return container


def test_every_pod_mounts_the_volume(manifests):
  assert manifests["studies"]["spec"]["accessModes"] == ["ReadWriteMany"]
  for name in ("figure-9-plan", "figure-9"):
    (volume,) = manifests[name]["spec"]["template"]["spec"]["volumes"]
    assert volume["persistentVolumeClaim"]["claimName"] == "studies"
    (mount,) = _container(manifests[name])["volumeMounts"]
    assert mount == {"name": volume["name"], "mountPath": "/studies"}


def test_workers_may_be_lost_and_stop_gracefully(manifests):
  job = manifests["figure-9"]["spec"]
  assert job["completionMode"] == "Indexed"
  assert job["completions"] == job["parallelism"]
  assert job["podReplacementPolicy"] == "Failed"
  assert job["backoffLimitPerIndex"] > 0
  pod = job["template"]["spec"]
  assert pod["restartPolicy"] == "Never"  # required by backoffLimitPerIndex
  assert pod["terminationGracePeriodSeconds"] >= 60
  rules = job["podFailurePolicy"]["rules"]
  (codes,) = [rule["onExitCodes"] for rule in rules if rule["action"] == "FailJob"]
  assert codes["containerName"] == pod["containers"][0]["name"]
  assert codes["values"] == [2]


def test_the_commands_plan_a_study_and_find_it(manifests, tmp_path, capfd):
  word, *plan = _container(manifests["figure-9-plan"])["command"]
  worker = _container(manifests["figure-9"])["command"]
  assert word == worker[0] == "dtf_study"
  plan = [each.replace("/studies", str(tmp_path)) for each in plan]
  plan = [each.replace(f"gin{tmp_path}", "gin/studies") for each in plan]
  assert call(study.main, *plan) == 0
  assert "60 runs are planned" in capfd.readouterr().out
  place = [each for each in worker if each.startswith("--output_dir=")]
  assert worker == ["dtf_study", "work", *place]
  place = [each.replace("/studies", str(tmp_path)) for each in place]
  assert call(study.main, "status", *place) == 1  # nothing is done yet
  assert "60 waiting" in capfd.readouterr().out
