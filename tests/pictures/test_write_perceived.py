import json

import pytest
from figure_checks import assert_shows, assert_shows_scale, read_gif
from shared_checks import tiny_data, tiny_model

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.perceived import perceive
from disentangle_tf.pictures import write_perceived

FEW = {"num_pairs": 200, "num_curve_pairs": 200, "num_traversals": 4}


def test_writes_tables_and_figures(tmp_path):
  found = perceive(data=tiny_data(), rank_losses=True, **FEW)
  write_perceived(found, tmp_path / "a")
  names = {path.name for path in (tmp_path / "a").iterdir()}
  figures = ("factor_traversals", "distance_matrices", "cumulative")
  assert names == {
    "importance.json",
    "importance.md",
    "agreement.json",
    "ranking.json",
    "ranking.md",
    "factor_traversals.gif",
    *(f"{figure}.{suffix}" for figure in figures for suffix in ("png", "svg")),
  }
  written = json.loads((tmp_path / "a" / "importance.json").read_text())
  assert written == found.importance
  assert_shows_scale(tmp_path / "a" / "distance_matrices.png")
  assert_shows(tmp_path / "a" / "factor_traversals.png", [(1, 0, 0), (0, 1, 0)])
  assert_shows(
    tmp_path / "a" / "cumulative.png", [(0, 0, 0), (0, 114 / 255, 178 / 255)]
  )
  # Forwards and back through four values; equal frames are stored as one.
  assert len(read_gif(tmp_path / "a" / "factor_traversals.gif")) == 7
  with pytest.raises(UserError, match="exists and is not empty"):
    write_perceived(found, tmp_path / "a")
  write_perceived(found, tmp_path / "a", overwrite=True)


def test_also_of_a_model_and_of_other_worlds(tmp_path):
  found = perceive(
    data=tiny_data(),
    others={"1 px": tiny_data(grid_spacing=1)},
    model=LiveModel(tiny_model()),
    **FEW,
  )
  write_perceived(found, tmp_path / "a")
  assert_shows_scale(tmp_path / "a" / "worlds.png")
  assert_shows_scale(tmp_path / "a" / "levels.png")
  svg = (tmp_path / "a" / "levels.svg").read_text()
  assert svg.count("<image ") == 4 * 5  # a matrix for each factor and level
  assert json.loads((tmp_path / "a" / "levels.json").read_text()) == found.levels


def test_what_fails_midway_leaves_nothing(tmp_path, monkeypatch):
  def fail(*_):
    raise KeyboardInterrupt

  found = perceive(data=tiny_data(), **FEW)
  monkeypatch.setattr(plots, "cumulative_figure", fail)
  with pytest.raises(KeyboardInterrupt):
    write_perceived(found, tmp_path / "a")
  assert list(tmp_path.iterdir()) == []
