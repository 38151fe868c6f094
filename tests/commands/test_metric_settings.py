import gin
import pytest
from command_calls import call

from disentangle_tf import scoring
from disentangle_tf.commands import evaluate
from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.commands.gin_files import gin_text
from disentangle_tf.commands.metric_settings import (
  metric_settings,
  plan_text,
  protocol_names,
)
from disentangle_tf.errors import UserError


@pytest.mark.parametrize("name", protocol_names())
def test_every_protocol_is_its_constant(name):
  read_configuration(*metric_settings(name))
  measurements = gin.get_bindings("evaluation.evaluate")["measurements"]
  assert measurements is getattr(scoring.protocols, name.upper())


def test_all_protocols_have_a_name():
  assert {"fast", "full", "locatello_appendix", "michlo_final"} <= {*protocol_names()}


def test_a_gin_file_is_read_as_it_is():
  assert metric_settings("gin/metrics/default.gin") == (["gin/metrics/default.gin"], [])


def test_an_unknown_protocol_suggests_the_nearest_name():
  with pytest.raises(UserError, match="no protocol 'fats'.*did you mean 'fast'.*full"):
    metric_settings("fats")


def test_the_text_of_a_plan_names_the_protocol():
  assert plan_text(["fast"]) == "evaluation.evaluate.measurements = %protocols.FAST"
  files = ["gin/losses/mse.gin", "gin/runs/demo_mse.gin"]
  assert plan_text(files) == gin_text(files)


def test_two_lists_of_metrics_are_refused(exported, tmp_path, capfd):
  words = ("--model", exported[0], "--protocol", "fast", "--output_dir", tmp_path / "x")
  binding = "evaluation.evaluate.measurements=%protocols.FULL"
  assert call(evaluate.main, *words, "--gin_bindings", binding) == 2
  assert "--protocol fast" in capfd.readouterr().err
