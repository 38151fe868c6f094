import csv
import io

import pytest

from disentangle_tf.evaluation import Comparison
from disentangle_tf.evaluation.model_names import common_name, short_names
from disentangle_tf.export.manifest import family


def test_names_are_what_tells_paths_apart():
  paths = ["/home/me/runs/a/export", "/home/me/runs/b/c/export"]
  assert list(short_names(paths).values()) == ["a", "b/c"]
  assert short_names(["/runs/a"]) == {"/runs/a": "a"}
  assert short_names(["a.npz", "b/a.npz"]) == {"a.npz": "a.npz", "b/a.npz": "b/a.npz"}
  assert short_names([]) == {}


def test_one_name_for_several():
  assert common_name(["a/seed_0", "a/seed_1"]) == "a/seed_*"
  assert common_name(["run_0_end", "run_11_end"]) == "run_*_end"
  assert common_name(["a/b"]) == "a/b"
  assert common_name(["a", "b/c", "d"]) == "a and 2 more"


DIRECTIONS = {"mig": "higher", "kl": "lower", "active_units": "neither"}


def result(**scores):
  return {"scores": scores, "directions": DIRECTIONS}


def test_the_best_of_each_column_is_marked():
  table = Comparison(
    {
      "a": result(mig=0.25, kl=3.0, active_units=2.0),
      "b": result(mig=0.5, kl=4.0, active_units=3.0),
    }
  )
  assert table.best == {"mig": {"b"}, "kl": {"a"}, "active_units": set()}
  text = table.to_text()
  assert "0.500*" in text and "3.000*" in text
  assert text.count("*") == 3  # and the legend's
  assert "| b | **0.500** | 4.000 | 3.000 |" in table.to_markdown()


def test_arrows_are_in_every_head():
  table = Comparison({"a": result(mig=0.25, kl=3.0, active_units=2.0, mine=1.0)})
  assert table.arrows == {"mig": "↑", "kl": "↓", "active_units": "", "mine": ""}
  assert "| model | mig ↑ | kl ↓ | active_units | mine |" in table.to_markdown()
  head = table.to_text().splitlines()[0]
  assert head.split() == ["mig", "↑", "kl", "↓", "active_units", "mine"]
  page = table.to_html({"a": "folder"})
  assert "<th>mig&nbsp;↑</th><th>kl&nbsp;↓</th>" in page


def test_what_no_metric_states_has_no_best():
  table = Comparison({"a": result(mine=1.0), "b": result(mine=2.0)})
  assert table.best == {"mine": set()}


def test_one_model_that_states_a_direction_is_enough():
  silent = {"scores": {"mig": 0.1}, "directions": {}}
  for results in ({"a": silent, "b": result(mig=1)}, {"b": result(mig=1), "a": silent}):
    assert Comparison(results).best == {"mig": {"b"}}


def test_what_looks_the_same_is_as_good():
  table = Comparison(
    {"a": result(mig=0.5), "b": result(mig=0.50001), "c": result(mig=0)}
  )
  assert table.best["mig"] == {"a", "b"}
  assert not Comparison({"a": result(mig=1.0), "b": result(mig=1.0)}).best["mig"]


def test_seeds_are_one_row():
  table = Comparison(
    {
      "runs/a/seed_0/export": result(mig=0.1),
      "runs/a/seed_1/export": result(mig=0.3),
      "runs/b/seed_0/export": result(mig=0.5),
    }
  )
  assert list(table.rows) == ["a/seed_*", "b/seed_0"]
  mean, deviation, count = table.rows["a/seed_*"]["mig"]
  assert (mean, count) == (pytest.approx(0.2), 2)
  assert deviation == pytest.approx(0.2 / 2**0.5)  # n - 1 in the denominator
  assert "0.200 ± 0.141" in table.to_text()
  rows = list(csv.DictReader(io.StringIO(table.to_csv())))
  assert [row["seeds"] for row in rows] == ["2", "1"]
  assert float(rows[0]["mig_sd"]) == pytest.approx(deviation)
  assert rows[1]["mig_sd"] == ""
  assert [row["path"] for row in rows] == [
    "runs/a/seed_*/export",
    "runs/b/seed_0/export",
  ]


def of_family(family, **scores):
  return {**result(**scores), "model": {"family": family}}


def test_manifests_tell_seeds_as_well():
  table = Comparison(
    {
      "x1": of_family("a", mig=0.1),
      "x2": of_family("a", mig=0.2),
      "y": of_family("b", mig=0.3),
    }
  )
  assert list(table.rows) == ["x*", "y"]
  # Families whose names come out alike stay apart.
  table = Comparison({f"x{i}": of_family("ab"[i > 1], mig=i / 10) for i in range(4)})
  assert list(table.rows) == ["x*", "x* (2)"]
  assert table.rows["x* (2)"]["mig"][0] == pytest.approx(0.25)


def test_a_family_is_all_but_the_seed():
  def manifest(seed, beta, step=5):
    config = f"SEED = {seed}\nBETA = {beta}"
    return {"config": config, "data": {"class": "XYSquares"}, "step": step}

  assert family(manifest(0, 1)) == family(manifest(7, 1))
  assert len({family(manifest(0, 1)), family(manifest(0, 2)), None}) == 3
  assert family(manifest(0, 1)) != family(manifest(0, 1, step=6))
  assert family({"config": ""}) is None and family({}) is None


def test_a_row_is_called_by_what_tells_its_path_apart():
  paths = ["/home/me/runs/a/export", "/home/me/runs/b/c/export"]
  table = Comparison({path: result(mig=0.5) for path in paths})
  assert list(table.rows) == ["a", "b/c"]
  assert "/home/me" not in table.to_text()
  page = table.to_html(dict.fromkeys(paths, "folder"))
  assert 'title="/home/me/runs/a/export">a</a>' in page


def test_models_that_failed_are_in_every_form():
  table = Comparison({"a": result(mig=0.1), "b": "refused: PrintV2, in f"})
  assert list(table.rows) == ["a"]
  assert table.failures == {"b": "refused: PrintV2, in f"}
  for text in (table.to_text(), table.to_markdown(), table.to_csv()):
    assert "refused: PrintV2, in f" in text


def test_scores_that_only_some_have():
  table = Comparison({"a": result(mig=0.1, kl=1.0), "b": result(mig=0.2)})
  assert "| b | **0.200** | - |" in table.to_markdown()
  rows = list(csv.DictReader(io.StringIO(table.to_csv())))
  assert rows[1]["kl"] == ""


def test_many_columns_are_folded():
  table = Comparison({"a": result(**{f"score_number_{i}": 0.1 for i in range(12)})})
  assert max(map(len, table.to_text().splitlines())) <= 100
  assert all(f"score_number_{i}" in table.to_text() for i in range(12))


def test_a_score_that_some_seeds_lack_says_so():
  table = Comparison(
    {
      "runs/a/seed_0/export": result(mig=0.1, kl=1.0),
      "runs/a/seed_1/export": result(mig=0.3),
      "runs/a/seed_2/export": result(mig=0.2, kl=3.0),
      "runs/b/seed_0/export": result(mig=0.5, kl=5.0),
    }
  )
  assert "2.000 ± 1.414 (2 of 3)*" in table.to_text()
  assert "0.200 ± 0.100 |" in table.to_markdown()
  one = Comparison({"a/seed_0": result(mig=0.1, kl=1.0), "a/seed_1": result(mig=0.1)})
  assert "1.000 (1 of 2)" in one.to_markdown()


def test_scores_on_different_sets_are_told():
  first, second = ({"class": name, "arguments": {}} for name in ("Spot", "XYSquares"))
  told = "scored on 2 different data sets"
  both = {"a": result(mig=0.1) | {"data": first}}
  assert told not in Comparison({**both, "b": both["a"]}).to_text()
  table = Comparison({**both, "b": result(mig=0.2) | {"data": second}})
  for shown in (
    table.to_text(),
    table.to_markdown(),
    table.to_html({"a": "a", "b": "b"}),
  ):
    assert told in shown
