"""The files about the repository agree with the package."""

import pathlib
import re
import tomllib

import yaml

import disentangle_tf

ROOT = pathlib.Path(__file__).parents[1]


def test_the_citation_names_the_version():
  citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
  assert citation["version"] == disentangle_tf.__version__
  papers = (ROOT / "docs/papers.md").read_text(encoding="utf-8")
  for reference in citation["references"]:
    (identifier,) = reference["identifiers"]
    assert identifier["value"] in papers


def test_the_hooks_lint_with_the_tested_version():
  hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
  (ruff,) = [each["rev"] for each in hooks if each["repo"].endswith("ruff-pre-commit")]
  pinned = re.search(r"^ruff==(.+)$", (ROOT / "constraints.txt").read_text(), re.M)
  assert ruff == f"v{pinned[1]}"


def test_every_supported_python_is_tested():
  project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
  least, above = re.findall(r"3\.(\d+)", project["requires-python"])
  jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text())["jobs"]
  tested = jobs["tests"]["strategy"]["matrix"]["python"]
  assert tested == [f"3.{minor}" for minor in range(int(least), int(above))]
