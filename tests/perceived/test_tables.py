import json

from shared_checks import tiny_data, tiny_model

from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.perceived import perceive, write_tables
from disentangle_tf.perceived.tables import importance_table

FEW = {"num_pairs": 200, "num_curve_pairs": 200, "num_traversals": 4}


def test_what_is_written(tmp_path):
  model = LiveModel(tiny_model())
  found = perceive(data=tiny_data(), model=model, rank_losses=True, **FEW)
  write_tables(found, tmp_path)
  for name in ("importance", "agreement", "ranking", "levels"):
    written = json.loads((tmp_path / f"{name}.json").read_text())
    assert written == getattr(found, name)
  levels = (tmp_path / "levels.md").read_text().splitlines()
  assert levels[0].startswith("| linear correlation | observations | latent means |")
  assert f"{found.levels['y_G']['reconstructions']['linear']:.2f} |" in levels[-1]
  ranking = (tmp_path / "ranking.md").read_text().splitlines()
  assert ranking[2].startswith(f"| {found.ranking[0]['loss']} | ")
  title, *_ = (tmp_path / "importance.md").read_text().splitlines()
  assert title == "Distances of xysquares as MSE perceives them"


def test_what_was_not_asked_for_is_not_written(tmp_path):
  write_tables(perceive(data=tiny_data(), **FEW), tmp_path)
  names = {path.name for path in tmp_path.iterdir()}
  assert names == {"importance.json", "importance.md", "agreement.json"}


def test_the_table_has_the_most_important_factor_first():
  row = {"std": 0.1, "exact": True, "mean_error": 0.0, "std_error": 0.0}
  factors = {"a": row | {"mean": 0.2}, "b": row | {"mean": 0.4}}
  importance = {"factors": factors, "random": row | {"mean": 0.5, "exact": False}}
  agreed = {
    "factors": {"b": {"linear": 0.25, "rank": 0.5, "constant": True}},
    "random": {"linear": 0.1, "rank": 0.2},
  }
  published = {"a": (0.21, 0.1), "b": (0.41, 0.1), "random": (0.51, 0.1)}
  lines = importance_table(importance, agreed, published).splitlines()
  assert [line.split()[1] for line in lines[2:]] == ["random", "b", "a"]
  expected = "| b | 0.400000 | 0.100000 | every pair | 0.25 | 0.50 | yes | 0.4100 "
  assert lines[3].startswith(expected)
  assert len({line.count("|") for line in lines}) == 1
