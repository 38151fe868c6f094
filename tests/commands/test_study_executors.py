import os
import pathlib
import types

import pytest

from disentangle_tf.commands.study_executors import EXECUTORS, default_slots
from disentangle_tf.studies.study_folder import StudyFolder


@pytest.mark.parametrize(("visible", "count"), [("0", 1), ("0,3", 2), ("0, ", 1)])
def test_one_run_per_gpu_that_may_be_seen(monkeypatch, visible, count):
  monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
  assert default_slots() == count


def test_without_a_gpu_one_run_per_core(monkeypatch):
  monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
  assert default_slots() == os.cpu_count()


def test_an_executor_that_leaves_the_work_to_others(capsys):
  folder = StudyFolder(pathlib.Path("runs/mine"))
  EXECUTORS["none"](types.SimpleNamespace(), folder, [None] * 1200)
  printed = capsys.readouterr().out
  assert "1,200 runs" in printed and "work --output_dir runs/mine" in printed
