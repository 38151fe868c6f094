import io

import pytest

from disentangle_tf.progress import progress_bar


@pytest.mark.parametrize(("terminal", "seconds"), [(True, 0.2), (False, 10)])
def test_a_log_is_written_to_less_often_than_a_terminal(terminal, seconds, monkeypatch):
  stream = io.StringIO()
  stream.isatty = lambda: terminal
  monkeypatch.setattr("sys.stderr", stream)
  with progress_bar(5, "encoding", unit="image") as bar:
    assert (bar.total, bar.desc, bar.unit) == (5, "encoding", "image")
    assert bar.mininterval == seconds
    assert bar.delay == 2


def test_short_work_shows_no_bar(capsys):
  with progress_bar(3) as bar:
    bar.update(3)
  assert bar.n == 3
  assert capsys.readouterr().err == ""


def test_options_of_tqdm_go_before_ours(capsys):
  with progress_bar(3, "steps", delay=0) as bar:
    bar.update(3)
  assert "steps: 100%" in capsys.readouterr().err
