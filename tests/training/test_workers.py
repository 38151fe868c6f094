"""Several processes that train together."""

import pathlib
import re
import signal
import time

import gin
import pytest
import tensorflow as tf
from shared_checks import assert_same_run
from worker_processes import end_of, start_training, start_workers

from disentangle_tf import training
from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.errors import UserError
from disentangle_tf.training.workers import Workers, is_chief

BINDINGS = ["UNITS=(8,)", "training.Computing.jit_compile=False"]
STEPPING = pathlib.Path(__file__).with_name("stepping_worker.py")
LOST = "train: error: another worker of this training has ended or cannot be reached"


def _task(kind, index, **cluster):
  return tf.distribute.cluster_resolver.SimpleClusterResolver(
    tf.train.ClusterSpec(cluster), task_type=kind, task_id=index
  )


@pytest.mark.parametrize(
  "cluster",
  [
    {"worker": ["a:1"]},
    {"worker": ["a:1", "b:1", "c:1"]},
    {"chief": ["a:1"], "worker": ["b:1"]},
    {"chief": ["a:1"], "worker": ["b:1", "c:1"], "evaluator": ["d:1"]},
    {"worker": ["a:1", "b:1"], "evaluator": ["c:1"]},
    {"chief": ["a:1"]},
  ],
)
def test_one_task_of_a_cluster_is_the_chief(cluster):
  chiefs = [
    address
    for kind in ("chief", "worker")
    for index, address in enumerate(cluster.get(kind, []))
    if is_chief(_task(kind, index, **cluster))
  ]
  assert chiefs == ["a:1"]


@pytest.mark.parametrize("kind", ["evaluator", "ps"])
def test_a_task_that_does_not_train_is_refused(kind):
  cluster = {"worker": ["a:1", "b:1"], kind: ["c:1"]}
  with pytest.raises(UserError, match=f"task of type '{kind}', which does not train"):
    is_chief(_task(kind, 0, **cluster))


def test_without_a_cluster_there_is_one_worker(two_replicas):
  assert is_chief(None)
  for strategy in (two_replicas, tf.distribute.get_strategy()):
    workers = Workers(strategy)
    assert workers.is_chief and not workers.several
    assert workers.agree(False, 7) == (False, 7)
    assert workers.agree(True, 7) == (True, 7)
    with pytest.raises(tf.errors.InternalError), workers.losses_reported():
      raise tf.errors.InternalError(None, None, "no other worker's")


def test_workers_of_unequal_speed_take_equal_calls_and_stop_together():
  """One signal, to the one that writes nothing."""
  workers = start_workers([STEPPING])
  while "logged" not in workers[1].stdout.readline():
    assert workers[1].poll() is None, workers[1].stderr.read()
  workers[1].send_signal(signal.SIGTERM)
  ends = end_of(workers)
  assert [code for code, _, _ in ends] == [130, 130], ends
  saved, counts = (
    [re.findall(f"{name} (.*)", output) for _, output, _ in ends]
    for name in ("saved", "counts")
  )
  assert saved[0] == saved[1] and counts[0] == counts[1]
  (stopped,) = map(int, saved[0])
  assert 200 <= stopped < 2000
  assert sum(map(int, re.findall(r"\d+", counts[0][0]))) == stopped


def test_two_workers_train_as_two_replicas_do(tmp_path, two_replicas):
  bindings = [*BINDINGS, "STEPS=5", "training.Watching.trace_graph=True"]
  for code, _, errors in end_of(start_training(tmp_path / "two", *bindings)):
    assert code == 0, errors
  assert (tmp_path / "two" / "export" / "manifest.json").exists()
  assert len(list((tmp_path / "two" / "tensorboard").iterdir())) == 1
  _train_here(tmp_path / "one", two_replicas, bindings)
  assert_same_run(tmp_path / "two", tmp_path / "one", atol=1e-5)


def _train_here(folder, strategy, bindings):
  read_configuration(["gin/runs/demo_mse.gin"], bindings)
  train = gin.get_configurable(training.train)
  computing = training.Computing(strategy=strategy, jit_compile=False)
  train(output_dir=folder, computing=computing)


def _wait_for(path, workers, seconds=400):
  end = time.monotonic() + seconds
  while not path.exists():
    if time.monotonic() > end or any(each.poll() is not None for each in workers):
      for worker in workers:
        worker.kill()
      pytest.fail(f"no {path.name}: {workers[0].communicate()}")
    time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize("signalled", [0, 1])
def test_a_stopped_training_of_two_workers_goes_on_as_if_it_had_not(
  tmp_path, two_replicas, signalled
):
  bindings = [
    *BINDINGS, "STEPS=600", "training.Saving.checkpoint_every=10",
    "training.Saving.keep_checkpoints=1000",
  ]  # fmt: skip
  workers = start_training(tmp_path / "two", *bindings)
  _wait_for(tmp_path / "two" / "checkpoints" / "ckpt-100.index", workers)
  workers[signalled].send_signal(signal.SIGTERM)
  ends = end_of(workers)
  assert [code for code, _, _ in ends] == [130, 130], ends
  stops = {re.search(r"stopped after step (\d+)", out).group(1) for _, out, _ in ends}
  assert len(stops) == 1
  stopped = int(stops.pop())
  assert 100 <= stopped < 600
  newest = tf.train.latest_checkpoint(tmp_path / "two" / "checkpoints")
  assert newest.endswith(f"ckpt-{stopped}")
  for code, _, errors in end_of(
    start_training(tmp_path / "two", *bindings, resume=True)
  ):
    assert code == 0, errors

  _train_here(tmp_path / "one", two_replicas, bindings)
  assert_same_run(tmp_path / "two", tmp_path / "one", atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("killed", [0, 1])
def test_when_a_worker_is_killed_the_other_ends_with_a_line(tmp_path, killed):
  bindings = [*BINDINGS, "STEPS=1000000", "training.Saving.checkpoint_every=100"]
  workers = start_training(tmp_path / "two", *bindings)
  _wait_for(tmp_path / "two" / "checkpoints" / "ckpt-500.index", workers)
  workers[killed].kill()
  code, _, errors = end_of(workers, seconds=120)[1 - killed]
  assert code == 2 and LOST in errors.splitlines()[-1], errors
