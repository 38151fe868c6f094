import contextlib
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import uuid

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies.executors.ray import run_on_ray


def test_without_ray_the_line_says_what_to_install(monkeypatch, tmp_path):
  monkeypatch.setitem(sys.modules, "ray", None)
  with pytest.raises(UserError, match=r'pip install "disentangle_tf\[ray\]"'):
    run_on_ray(tmp_path, [], print)


def _touch(folder, run):
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


def _answers(port):
  with socket.socket() as asking:
    return asking.connect_ex(("127.0.0.1", port)) == 0


@contextlib.contextmanager
def _cluster(num_nodes):
  """The address of Ray's nodes with a core each, on this machine."""
  with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
  folder = tempfile.mkdtemp(prefix="ray_")  # Ray's sockets want a short path
  start = [pathlib.Path(sys.executable).with_name("ray"), "start", "--block"]
  start += ["--num-cpus=1", f"--object-store-memory={100 * 2**20}"]
  head = ["--head", f"--port={port}", "--include-dashboard=false"]
  head += [f"--temp-dir={folder}"]
  nodes = []
  try:
    nodes.append(subprocess.Popen([*start, *head], stdout=subprocess.DEVNULL))
    deadline = time.monotonic() + 60
    while not _answers(port) and time.monotonic() < deadline:
      time.sleep(0.5)
    for _ in range(num_nodes - 1):
      words = [*start, f"--address=127.0.0.1:{port}"]
      nodes.append(subprocess.Popen(words, stdout=subprocess.DEVNULL))
    yield f"127.0.0.1:{port}"
  finally:
    for node in reversed(nodes):
      node.terminate()
      node.wait(timeout=60)
    shutil.rmtree(folder, ignore_errors=True)


# In a process of its own, for Ray reads once whether there is a token.
STUDY_ON_TWO_NODES = """
import pathlib, sys, time
import ray
from disentangle_tf.studies.executors.ray import run_on_ray

def perform(folder, run):
  time.sleep(2)
  (pathlib.Path(folder) / run).write_text(ray.get_runtime_context().get_node_id())

address, folder = sys.argv[1:]
ray.init(address)
while sum(node["Alive"] for node in ray.nodes()) < 2:
  time.sleep(0.5)
ray.shutdown()
assert run_on_ray(folder, ["a", "b", "c", "d"], perform, address=address) == {}
"""


@pytest.mark.slow
def test_all_nodes_of_a_cluster_take_runs(tmp_path, monkeypatch):
  pytest.importorskip("ray", reason='needs Ray: pip install "disentangle_tf[ray]"')
  monkeypatch.setenv("RAY_AUTH_MODE", "token")
  monkeypatch.setenv("RAY_AUTH_TOKEN", uuid.uuid4().hex)  # of this cluster alone
  with _cluster(2) as address:
    words = [sys.executable, "-c", STUDY_ON_TWO_NODES, address, tmp_path]
    subprocess.run(words, check=True, timeout=180)
  assert len({path.read_text() for path in tmp_path.iterdir()}) == 2
