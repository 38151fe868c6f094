import json
import re

import pytest

from disentangle_tf import plots


def test_every_text_is_there():
  figure = plots.table_figure(
    [["1", "2\n[0, 3]"], ["3", "4"]], ["a", "b"], ["x", "long name of it"],
    corner="who", caption="words",
  )  # fmt: skip
  (axis,) = figure.axes
  texts = [text.get_text() for text in axis.texts]
  assert texts == ["who", "x", "long name of it", "a", "1", "2\n[0, 3]", "b", "3", "4"]
  assert len(axis.get_lines()) == 3 and figure.get_supxlabel() == "words"
  # Cells of a column are below its name, rows beneath each other.
  places = {text.get_text(): text.get_position() for text in axis.texts}
  assert places["x"][0] == places["1"][0] == places["3"][0]
  assert places["who"][1] < places["a"][1] < places["b"][1]


def test_long_names_are_folded():
  figure = plots.table_figure([["1"]], ["a"], ["DCI disentanglement"])
  assert figure.axes[0].texts[1].get_text() == "DCI\ndisentanglement"


def _content(part):
  (text,) = re.findall('<script type="application/json">(.*?)</script>', part, re.S)
  return json.loads(text)


def test_names_are_there_once_and_numbers_as_they_are():
  columns = {
    "method": ["b", "a", "b"],
    "seed": [0, 1, 2],
    "mig": [0.123456789, 1.0, None],
  }
  part = plots.sortable_table_part("Runs", "note", columns, links=["x", "", "y"])
  assert _content(part) == {
    "columns": [
      {"name": "method", "names": ["b", "a"], "values": [0, 1, 0]},
      {"name": "seed", "whole": True, "values": [0, 1, 2]},
      {"name": "mig", "whole": False, "values": [0.123457, 1.0, None]},
    ],
    "links": ["x", "", "y"],
    "rows": 3,
  }
  assert "<h2>Runs</h2>" in part and '<p class="note">note</p>' in part


def test_no_text_ends_the_script():
  evil = "</script><img src=x onerror=alert(1)><!--"
  part = plots.sortable_table_part(evil, evil, {evil: [evil]}, links=[evil])
  assert part.count("</script>") == 1 and "<img" not in part and "<!--" not in part
  (column,) = _content(part)["columns"]
  assert column == {"name": evil, "names": [evil], "values": [0]}


def test_a_score_that_is_no_number_is_refused():
  with pytest.raises(ValueError, match="JSON"):
    plots.sortable_table_part("a", "", {"mig": [float("nan")]})
