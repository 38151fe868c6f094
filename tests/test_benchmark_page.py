"""The page of the benchmarks: tables from their results, and text around them."""

import importlib.util
import json
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results" / "performance.json"


@pytest.fixture(scope="module")
def page():
  path = ROOT / "benchmarks" / "page.py"
  spec = importlib.util.spec_from_file_location("page", path)
  module = importlib.util.module_from_spec(spec)
  spec.loader.exec_module(module)
  return module


def seconds(median, least, most):
  return {"median": median, "least": least, "most": most}


ROWS = [
  {"name": "plain", "wall": seconds(0.5, 0.4, 0.625), "cpu": seconds(1.0, 1.0, 1.0)},
  {
    "name": "slow",
    "wall": seconds(1.0, 0.9, 1.1),
    "cpu": seconds(2.0, 1.9, 2.2),
    "ratio": {
      "to": "plain",
      "wall": {"ratio": 2.0, "spread": [1.9, 2.1]},
      "cpu": {"ratio": 2.0, "spread": [2.0, 2.0]},
    },
    "peak_mb": 1234,
  },
]


def test_a_table_has_the_columns_that_any_row_has(page):
  assert page.table(ROWS).splitlines() == [
    "|  | wall clock (s) | CPU time (s) | ratio, wall clock | ratio, CPU time "
    "| most memory (MB) |",
    "| --- | --- | --- | --- | --- | --- |",
    "| plain | 0.5 (0.4 to 0.625) | 1 |  |  |  |",
    "| slow | 1 (0.9 to 1.1) | 2 (1.9 to 2.2) | 2.00 (1.90 to 2.10) | 2.00 | 1,234 |",
  ]


def test_places_of_the_text_are_filled(page):
  results = {"steps": {"rows": ROWS, "facts": {"runs": 12600, "units": ["a", "b"]}}}
  text = "{{steps.runs}} runs, {{steps.units}}; {{other}}"
  assert page.render(results, text) == "12,600 runs, a, b; not measured"


def test_the_committed_page_is_that_of_the_committed_results(page):
  results = json.loads(RESULTS.read_text(encoding="utf-8"))
  text = page.TEMPLATE.read_text(encoding="utf-8")
  committed = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
  assert committed == page.render(results, text)


def test_every_benchmark_has_its_place(page):
  source = (ROOT / "benchmarks" / "run.py").read_text(encoding="utf-8")
  names = re.findall(r'^  "(\w+)",$', source, re.MULTILINE)
  text = page.TEMPLATE.read_text(encoding="utf-8")
  assert names and all(f"{{{{{name}}}}}" in text for name in names)
  assert set(re.findall(r"\{\{(\w+)", text)) == {*names, "rough"}
