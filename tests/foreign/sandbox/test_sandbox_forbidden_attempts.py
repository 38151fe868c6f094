"""300 attempts to break out of the sandbox, for each set of protections of a kernel."""

import contextlib
import ctypes
import errno
import fcntl
import json
import os
import pathlib
import platform
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

import forbidden_attempts
import pytest
from filter_machine import verdict
from forbidden_attempts import ATTEMPTS, COLUMN, LANDLOCK, NUMBERS, UNNAMED

from disentangle_tf.foreign.sandbox import confinement, seccomp

pytestmark = pytest.mark.skipif(
  not sys.platform.startswith("linux") or COLUMN is None,
  reason="seccomp's lists are for Linux on x86-64 and ARM64",
)
NOBODY = 65534
LIBRARY = ctypes.CDLL(None, use_errno=True)
GET_FLAGS = 0x80086601  # FS_IOC_GETFLAGS
FALLBACKS = {
  "all": {},
  "no Landlock": {"Landlock": 0},
  **{f"Landlock {version}": {"Landlock": version} for version in range(1, 6)},
  "no user namespace": {"user namespace": None},
  "no namespaces": {"namespaces": None},
  "seccomp alone": {"Landlock": 0, "namespaces": None},
}


def system_call(name, *arguments):
  number = (NUMBERS | UNNAMED)[name][COLUMN]
  return LIBRARY.syscall(number, *arguments)


class Scene:
  """Things that a process could harm, and what they are like.

  Args:
    user: whose they are.
  """

  def __init__(self, user):
    with contextlib.ExitStack() as resources:
      self._resources = resources
      self._make_files(user)
      self._make_channels()
      self._make_queues()
      self.process = subprocess.Popen(["sleep", "600"], user=user, group=user)
      resources.callback(self._end)
      self.handle = self._descriptor(os.pidfd_open(self.process.pid))
      self._state = self._look()
      self._resources = resources.pop_all()

  def close(self):
    self._resources.close()

  def parts(self):
    """Names and numbers for `forbidden_attempts`."""
    return {
      "model": str(self.folder / "model"),
      "own": str(self.folder / "own"),
      "new": str(self.folder / "own/new"),
      "file": str(self.folder / "outside/file"),
      "socket": str(self.folder / "socket"),
      "other": self.process.pid,
      "queue": self.queue,
      **self.numbers,
      **self.descriptors(),
    }

  def descriptors(self):
    return {
      name: getattr(self, name)
      for name in ("pair", "pipe", "opened", "errors", "handle")
    }

  def changes(self):
    """{what: (as it was, as it is)} of everything that a process could change."""
    now = self._look()
    return {
      name: (was, now.get(name))
      for name, was in self._state.items()
      if now.get(name) != was
    }

  def _make_files(self, user):
    self.folder = pathlib.Path(tempfile.mkdtemp(prefix="attempts"))
    self._resources.callback(shutil.rmtree, self.folder)
    self.folder.chmod(0o755)
    for name in ("model", "outside", "own"):
      (self.folder / name).mkdir(mode=0o777)
      (self.folder / name).chmod(0o777)
    file = self.folder / "outside/file"
    file.write_text("secret")
    file.chmod(0o666)
    if user:
      for path in (self.folder, *self.folder.rglob("*")):
        os.chown(path, user, user)
    self.opened = self._descriptor(os.open(file, os.O_RDONLY))
    number, path = tempfile.mkstemp(dir=self.folder)
    self.errors = self._descriptor(number)
    os.remove(path)

  def _make_channels(self):
    self._datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    self._resources.enter_context(self._datagrams)
    self._datagrams.bind(str(self.folder / "socket"))
    self._datagrams.setblocking(False)
    (self.folder / "socket").chmod(0o777)
    first, second = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    self._resources.enter_context(first)
    self._resources.enter_context(second)
    self.pair = first.fileno()
    self.pipe, _ = map(self._descriptor, os.pipe())

  def _make_queues(self):
    self.numbers = {
      "shared": system_call("shmget", 0, 4096, 0o1666),
      "semaphores": system_call("semget", 0, 1, 0o1666),
      "messages": system_call("msgget", 0, 0o1666),
    }
    if min(self.numbers.values()) < 0:
      pytest.skip("this kernel has no queues between processes")
    system_call("semctl", self.numbers["semaphores"], 0, 16, 3)  # SETVAL
    self.queue = f"attempts_{os.getpid()}"
    opened = system_call("mq_open", self.queue.encode(), os.O_CREAT, 0o666, None)
    assert self._descriptor(opened) >= 0
    self._resources.callback(self._remove_queues)

  def _remove_queues(self):
    system_call("shmctl", self.numbers["shared"], 0, None)
    system_call("semctl", self.numbers["semaphores"], 0, 0, None)
    system_call("msgctl", self.numbers["messages"], 0, None)
    system_call("mq_unlink", self.queue.encode())

  def _descriptor(self, number):
    self._resources.callback(os.close, number)
    return number

  def _end(self):
    self.process.kill()
    self.process.wait()

  def _look(self):
    return self._files() | self._queues() | self._process()

  def _files(self):
    paths = sorted(self.folder.rglob("*"))
    flags = bytearray(8)
    with contextlib.suppress(OSError):  # not every file system has them
      fcntl.ioctl(self.opened, GET_FLAGS, flags)
    return {
      "files": [(path.name, os.lstat(path)[:7], os.lstat(path)[8:]) for path in paths],
      "content": (self.folder / "outside/file").read_text(),
      "labels": os.listxattr(self.folder / "outside/file"),
      "flags": flags,
    }

  def _queues(self):
    status = ctypes.create_string_buffer(256)
    queue = system_call("mq_open", self.queue.encode(), os.O_RDONLY, 0, None)
    if queue >= 0:
      os.close(queue)
    return {
      "shared memory": system_call("shmctl", self.numbers["shared"], 2, status),
      "semaphore": system_call("semctl", self.numbers["semaphores"], 0, 12, None),
      "messages": system_call("msgctl", self.numbers["messages"], 2, status),
      "named queue": queue >= 0,
      "received": self._received(),
    }

  def _received(self):
    with contextlib.suppress(BlockingIOError):
      content, rights, *_ = socket.recv_fds(self._datagrams, 100, 4)
      for descriptor in rights:
        os.close(descriptor)
      return content, len(rights)

  def _process(self):
    number = self.process.pid
    if self.process.poll() is not None:
      return {"process": self.process.returncode}
    return {
      "process": None,
      "cores": os.sched_getaffinity(number),
      "scheduler": os.sched_getscheduler(number),
      "priority": os.getpriority(os.PRIO_PROCESS, number),
      "priority at disks": system_call("ioprio_get", 1, number),
      "limits": pathlib.Path(f"/proc/{number}/limits").read_text(),
      "host": os.uname(),
    }


@pytest.fixture
def scene():
  made = Scene(None)
  yield made
  made.close()


@pytest.fixture
def scene_of_nobody():
  if os.getuid():
    pytest.skip("only root can be another user")
  made = Scene(NOBODY)
  yield made
  made.close()


def attempts(scene, walls, *, user=None, names=tuple(ATTEMPTS)):
  """[(record, process, {name: result, call})] of the processes that tried."""
  settings = {"scene": scene.parts(), "walls": walls, "user": user, "names": names}
  root = pathlib.Path(confinement.__file__).parents[3]
  found = subprocess.run(
    [sys.executable, "-S", forbidden_attempts.__file__, json.dumps(settings)],
    env={"PYTHONPATH": str(root)},
    cwd=scene.folder / "own",
    pass_fds=scene.descriptors().values(),
    stdout=subprocess.PIPE,
    text=True,
    check=True,
    timeout=120,
  )
  runs = []
  for line in map(json.loads, found.stdout.splitlines()):
    if "record" in line:
      runs.append((line["record"], line["process"], {}))
    else:
      runs[-1][2][line.pop("name")] = line
  return runs


def what_stopped_it(result, last_call, process, has_landlock):
  """The wall's name and how it shows: "seccomp: EPERM"."""
  if result == "done" or result == "not on this machine":
    return result
  if result < 0:
    return f"seccomp: {signal.Signals(-result).name}"
  machine = platform.machine()
  answer = verdict(seccomp.program(machine, process), machine, *last_call)
  name = errno.errorcode[result]
  if answer == result:
    return f"seccomp: {name}"
  assert answer == "allow", "the kernel did not do as the filter says"
  if result in (errno.ENOMEM, errno.EMFILE, errno.EFBIG):
    return f"limit: {name}"
  return f"Landlock: {name}" if has_landlock else f"the kernel: {name}"


def check_all_stopped(scene, walls, user=None):
  found = {}
  for record, process, results in attempts(scene, walls, user=user):
    has_landlock = record["files"].startswith("Landlock")
    has_namespaces = "namespace of its own" in record["ipc"]
    for name, line in results.items():
      how = what_stopped_it(line["result"], line.get("call"), process, has_landlock)
      found[name] = how
  expected = {name: how for name, (how, _) in ATTEMPTS.items()}
  if not has_landlock:
    expected |= {name: "done" for name in expected if expected[name] == LANDLOCK}
    if not (user or os.getuid()) or has_namespaces:  # it has less than the other has
      expected["read another's environment"] = "the kernel: EACCES"
  elsewhere = {name for name in found if found[name] == "not on this machine"}
  assert found == expected | dict.fromkeys(elsewhere, "not on this machine")
  assert len(found) - len(elsewhere) > 250
  assert scene.changes() == {}


def fallback(name):
  """The walls that are missing, if they are there at all."""
  walls = FALLBACKS[name]
  if walls.get("Landlock", 0) > confinement.version():
    pytest.skip("this kernel's Landlock is older")
  return walls


@pytest.mark.parametrize("walls", FALLBACKS)
def test_all_is_stopped(walls, scene):
  check_all_stopped(scene, fallback(walls))


@pytest.mark.parametrize("walls", ["all", "no namespaces", "seccomp alone"])
def test_all_is_stopped_of_an_ordinary_user(walls, scene_of_nobody):
  check_all_stopped(scene_of_nobody, fallback(walls), user=NOBODY)


HARMFUL = {
  "send to a UNIX socket": "received",
  "remove shared memory": "shared memory",
  "lower a semaphore": "semaphore",
  "remove a message queue": "messages",
  "remove a named queue": "named queue",
  "other cores for another": "cores",
  "another scheduler for another": "scheduler",
  "input and output priority of another": "priority at disks",
  "slow another": "priority",
  "limit another": "limits",
  "flags of a file": "flags",
  "rights": "files",
  "label": "labels",
  "cut a file": "content",
  "kill another": "process",
}


def test_the_attempts_are_real(scene):
  """Without the walls the attempts do harm, and the test sees it."""
  found = attempts(scene, None, names=list(HARMFUL))
  results = {n: line["result"] for *_, lines in found for n, line in lines.items()}
  assert set(results) == set(HARMFUL)
  done = {name for name, result in results.items() if result == "done"}
  assert scene.process.wait(timeout=10) == -signal.SIGKILL
  assert {HARMFUL[name] for name in done} <= set(scene.changes())
  assert len(done) > 10
