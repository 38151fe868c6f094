"""TensorBoard's HPARAMS page shows the settings and scores of runs."""

from command_calls import call
from tensorboard import context
from tensorboard.backend.event_processing import (
  data_provider,
  plugin_event_multiplexer,
)
from tensorboard.plugins import base_plugin
from tensorboard.plugins.hparams import api_pb2, backend_context, list_session_groups

from disentangle_tf.commands import evaluate, train


def _session_groups(folder):
  """The rows of the page: ({setting: value}, {metric: value}) each."""
  multiplexer = plugin_event_multiplexer.EventMultiplexer()
  multiplexer.AddRunsFromDirectory(str(folder))
  multiplexer.Reload()
  provider = data_provider.MultiplexerDataProvider(multiplexer, str(folder))
  plugin_context = base_plugin.TBContext(data_provider=provider)
  request = api_pb2.ListSessionGroupsRequest(
    slice_size=100,
    allowed_statuses=[api_pb2.STATUS_UNKNOWN],
    aggregation_type=api_pb2.AGGREGATION_AVG,
  )
  handler = list_session_groups.Handler(
    context.RequestContext(), backend_context.Context(plugin_context), "", request
  )
  return [
    (
      {n: getattr(v, v.WhichOneof("kind")) for n, v in group.hparams.items()},
      {metric.name.tag: metric.value for metric in group.metric_values},
    )
    for group in handler.run().session_groups
  ]


def test_every_setting_is_a_column_and_every_run_with_its_scores_a_row(tmp_path):
  settings = (["ALPHA=225"], ["ALPHA=100"], ["UNITS=(4,)", "ALPHA=225"])
  for number, bindings in enumerate(settings):
    bindings = [
      "UNITS=(8,)",
      "STEPS=2",
      "training.Computing.jit_compile=False",
      *bindings,
    ]
    words = [word for binding in bindings for word in ("--gin_bindings", binding)]
    run = tmp_path / str(number)
    call(
      train.main, "--gin_file", "gin/runs/demo_overlap.gin", *words, "--output_dir", run
    )
  (tmp_path / "elsewhere").mkdir()
  result = tmp_path / "elsewhere" / "scores"
  call(
    evaluate.main,
    "--model", tmp_path / "1" / "export", "--trusted",
    "--protocol", "fast",
    "--gin_bindings", "evaluation.evaluate.num_points=60",
    "--gin_bindings", "evaluation.evaluate.num_test_points=30",
    "--output_dir", result,
  )  # fmt: skip
  rows = _session_groups(tmp_path)
  assert sorted((row["ALPHA"], row["UNITS"]) for row, _ in rows) == [
    (100.0, "(8,)"),
    (225.0, "(4,)"),
    (225.0, "(8,)"),
  ]
  for row, metrics in rows:
    assert (
      row["LEARNING_RATE"] == 0.001 and row["training.Computing.jit_compile"] is False
    )
    assert row["MODEL"] == "@models.BetaVAE" and row["losses.box_kernel.radius"] == 7
    assert "models.BetaVAE.beta" not in row and row["BETA"] == 0.7  # once, by its macro
    assert "training.Watching.log_every" not in row  # it has its default
    assert "loss/loss" in metrics
    assert ("scores/mig" in metrics) == (row["ALPHA"] == 100)
