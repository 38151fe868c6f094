import sys

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies.executors.ray import run_on_ray


def test_without_ray_the_line_says_what_to_install(monkeypatch, tmp_path):
  monkeypatch.setitem(sys.modules, "ray", None)
  with pytest.raises(UserError, match=r'pip install "disentangle_tf\[ray\]"'):
    run_on_ray(tmp_path, [], print)


def _touch(folder, run):
  import pathlib

  if run == "bad":
    raise ValueError("as it should")
  (pathlib.Path(folder) / run).write_text("done")


@pytest.mark.slow
def test_every_run_is_a_task_and_errors_are_told(tmp_path):
  pytest.importorskip("ray", reason='needs Ray: pip install "disentangle_tf[ray]"')
  runs = ["a", "bad", "b"]
  lost = run_on_ray(tmp_path, runs, _touch)
  assert list(lost) == ["bad"] and "as it should" in lost["bad"]
  assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
