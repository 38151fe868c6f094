import signal
import sys

from command_calls import ROOT, call, stopped_step

from disentangle_tf.commands import study


def test_an_interrupted_study_keeps_a_checkpoint(tmp_path):
  command = [
    sys.executable, ROOT / "bin" / "study.py",
    "--gin_file", "gin/studies/michlo_figure_7.gin",
    "--gin_bindings", "studies.study.bindings = ['STEPS=1000000', 'UNITS=(4,)', "
    "'training.Computing.jit_compile=False', 'training.Saving.checkpoint_every=20']",
    "--output_dir", tmp_path / "out",
  ]  # fmt: skip
  checkpoints = tmp_path / "out" / "MSE" / "seed_0" / "checkpoints"
  stopped_step(command, checkpoints, signal.SIGINT, times=2)
  assert "plot_traversals" in (tmp_path / "out" / "config.gin").read_text()


def test_a_study_reads_every_run_before_it_trains(tmp_path, capsys):
  runs = '{"good": ["gin/runs/demo_mse.gin"], "bad": ["gin/runs/demo_mes.gin"]}'
  flags = (
    "--gin_file",
    "gin/studies/michlo_figure_7.gin",
    "--output_dir",
    tmp_path / "a",
  )
  for wrong, message in (
    (f"studies.study.runs = {runs}", "no gin file gin/runs/demo_mes.gin"),
    ('studies.study.sweep = {"BETTA": [1]}', "did you mean 'BETA'"),
  ):
    assert call(study.main, *flags, "--gin_bindings", wrong) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "a").exists()
