import os
import pathlib

import pytest

from disentangle_tf.commands.study_executors import EXECUTORS, default_slots
from disentangle_tf.commands.study_flags import study_flags
from disentangle_tf.studies.folders import StudyFolder


@pytest.mark.parametrize(("visible", "count"), [("0", 1), ("0,3", 2), ("0, ", 1)])
def test_one_run_per_visible_gpu(monkeypatch, visible, count):
  monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
  assert default_slots() == count


def test_without_a_gpu_one_run_per_core(monkeypatch):
  monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
  assert default_slots() == os.cpu_count()


def test_the_executor_without_workers(capsys):
  folder = StudyFolder(pathlib.Path("runs/mine"))
  EXECUTORS["none"](study_flags(EXECUTORS), folder, [None] * 1200)
  printed = capsys.readouterr().out
  assert "1,200 runs" in printed and "work --output_dir runs/mine" in printed
