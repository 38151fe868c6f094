import json
import platform

import numpy as np
import pytest

from disentangle_tf import export
from disentangle_tf.errors import ModelError
from disentangle_tf.export import manifest


def test_manifest(exported):
  found = export.read_manifest(exported[0])
  assert found["contract_version"] == export.CONTRACT_VERSION == 2
  assert found["factor_names"] == ["x_R", "y_R", "x_G", "y_G"]
  assert (found["latents"], found["seed"], found["step"]) == (3, 3, 7)
  assert found["config"] == "x = 1"
  assert {"tensorflow", "keras", "python", "disentangle_tf"} <= set(found["versions"])
  files = {p for p in exported[0].rglob("*") if p.is_file()}
  assert len(found["sha256"]) == len(files) - 1


def test_hyper_parameters_of_a_foreign_manifest():
  given = {"a": 1, "b": 0.5, "c": "x", "d": True}
  bad = {"e": [1], "f": None, "g": float("nan"), "h": 10**400, "i": {"a": 1}}
  assert manifest.hyper_parameters({"hyper_parameters": given | bad}) == given
  for found in ({}, {"hyper_parameters": None}, {"hyper_parameters": [1]}):
    assert manifest.hyper_parameters(found) == {}


def test_a_manifest_tells_what_made_the_model(exported):
  found = export.read_manifest(exported[0])
  assert found["model"]["class"] == "BetaVAE"
  assert found["model"]["arguments"]["beta"] == 0.5
  assert found["model"]["arguments"]["reconstruction"]["class"] == "MSE"
  assert "generative_model" not in found


def test_version_1_is_read_as_it_was_written(golden_folder):
  folder = golden_folder / "exports" / "version_1"
  found = export.read_manifest(folder)
  assert found == json.loads((folder / "manifest.json").read_text())
  assert found["contract_version"] == 1 and found["latents"] == 3
  manifest.check_files(folder, found)


@pytest.mark.parametrize("version", [0, 3, 99, -1])
def test_versions_that_are_not_read(version, exported, tmp_path):
  content = json.loads((exported[0] / "manifest.json").read_text())
  content["contract_version"] = version
  (tmp_path / "manifest.json").write_text(json.dumps(content))
  with pytest.raises(ModelError, match=f"version {version}, .*reads versions 1 and 2"):
    manifest.read_manifest(tmp_path)


def test_what_is_an_export(exported, tmp_path):
  assert manifest.is_export(exported[0])
  assert not manifest.is_export(tmp_path)
  for text, ours in (
    ('{"step": 1}', True),  # damaged, but one of ours
    ("{", True),
    ('{"name": "a web page"}', False),
  ):
    (tmp_path / "manifest.json").write_text(text)
    assert manifest.is_export(tmp_path) is ours


def test_seeds_are_of_one_family_and_other_settings_are_not(exported):
  found = export.read_manifest(exported[0])
  texts = ["BETA = 1\nSEED = 0", "BETA = 1\nSEED = 1", "BETA = 2\nSEED = 0"]
  first, second, third = (manifest.family(found | {"config": text}) for text in texts)
  assert first == second != third
  assert manifest.family(found | {"config": ""}) is None


def test_one_hash_for_the_whole_model():
  hashes = {"a": "0" * 64, "b": "1" * 64}
  first = manifest.model_sha256({"sha256": hashes})
  assert first == manifest.model_sha256({"sha256": dict(hashes)})
  assert first != manifest.model_sha256({"sha256": hashes | {"b": "2" * 64}})


def test_versions_of_what_numbers_depend_on():
  versions = manifest.package_versions()
  assert versions["numpy"] == np.__version__
  assert versions["python"] == platform.python_version()
