"""A study of Python functions, without gin or flags."""

import functools
import json

import keras
import pytest
from shared_checks import tiny_data, tiny_model

from disentangle_tf import evaluation, export, metrics, scoring, studies, training
from disentangle_tf.commands import study as study_command
from disentangle_tf.errors import UserError


def tiny_run(rate, seed):
  return studies.Run(
    functools.partial(
      training.train,
      model=tiny_model,
      data=tiny_data(),
      optimizer=functools.partial(keras.optimizers.Adam, rate),
      steps=2,
      batch_size=8,
      seed=seed,
    ),
    functools.partial(
      evaluation.evaluate,
      measurements=[scoring.Measurement(metrics.mig, num_points=50)],
    ),
  )


def failing_run(rate, seed):
  raise UserError("no such rate")


@pytest.fixture(scope="module")
def done(tmp_path_factory):
  folder = tmp_path_factory.mktemp("study")
  study = studies.Study({"tiny": tiny_run}, sweep={"rate": [0.01, 0.1]}, seeds=[3])
  return study, folder, studies.run_study(study, folder)


def test_every_run_is_trained_and_scored_with_its_settings(done):
  _, folder, table = done
  assert table["run"].nunique() == 2
  for rate in (0.01, 0.1):
    run = folder / f"tiny_rate_{rate}" / "seed_3"
    scores = json.loads((run / "scores" / "scores.json").read_text())["scores"]
    assert list(scores) == ["mig"]
    manifest = export.read_manifest(run / "export")
    assert manifest["seed"] == 3
    assert manifest["hyper_parameters"]["learning_rate"] == rate
    assert (run / "export").is_dir() and not (run / "checkpoints").exists()


def test_a_second_call_trains_nothing(done, monkeypatch):
  study, folder, table = done
  monkeypatch.setattr(training, "train", None)
  again = studies.run_study(study, folder)
  assert (again["value"] == table["value"]).all()


def test_the_command_reads_it_but_cannot_go_on_with_it(done, capsys):
  from command_calls import call

  _, folder, _ = done
  assert call(study_command.main, "status", "--output_dir", folder) == 0
  assert "2 done" in capsys.readouterr().out
  assert call(study_command.main, "work", "--output_dir", folder) == 2
  assert "resume it with studies.run_study" in capsys.readouterr().err


def test_failed_runs_are_an_error_that_names_the_log(tmp_path):
  study = studies.Study({"tiny": failing_run}, sweep={"rate": [0.1]})
  with pytest.raises(UserError, match=r"1 runs failed: see tiny_rate_0.1/seed_0/log"):
    studies.run_study(study, tmp_path)


@pytest.mark.parametrize(
  "given", [{"data": {"a": ["x.gin"]}}, {"files": ["x.gin"]}, {"bindings": ["A=1"]}]
)
def test_settings_that_a_function_would_not_read(given):
  (name,) = given
  with pytest.raises(UserError, match=f"{name} is for methods that are gin files"):
    studies.Study({"tiny": tiny_run}, **given).plans()


def test_gin_files_are_left_to_the_command(tmp_path):
  with pytest.raises(UserError, match="bin/study.py runs those"):
    studies.run_study(studies.Study({"tiny": ["gin/runs/demo_mse.gin"]}), tmp_path)


def test_the_key_names_the_function_and_its_settings():
  study = studies.Study({"tiny": tiny_run}, sweep={"rate": [0.1, 0.2]})
  first, second = study.plans()
  assert first.key != second.key
  other = studies.Study({"tiny": failing_run}, sweep={"rate": [0.1, 0.2]})
  assert other.plans()[0].key != first.key
