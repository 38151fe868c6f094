import ctypes
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import textwrap
import time

import pytest

from disentangle_tf.foreign.sandbox import confinement
from disentangle_tf.foreign.sandbox.confinement import most_threads

pytestmark = pytest.mark.skipif(
  not sys.platform.startswith("linux"), reason="confines processes on Linux only"
)

needs_landlock = pytest.mark.skipif(
  not sys.platform.startswith("linux") or not confinement.version(),
  reason="this kernel has no Landlock",
)
START = """
import ctypes, fcntl, json, os, resource, signal, socket, subprocess, sys, sysconfig
import threading
from disentangle_tf.foreign.sandbox import confinement, seccomp
model, outside, own = sys.argv[1:4]
{before}
record = confinement.confine(model, memory_gib={memory_gib}, seconds={seconds})
print(json.dumps(record), flush=True)
try:
{attempt}
except Exception as error:
  print(type(error).__name__, getattr(error, "errno", ""), flush=True)
else:
  print("done", flush=True)
"""
NO_LANDLOCK = "confinement.version = lambda: 0"
NO_NAMESPACE = "confinement._leave_namespaces = set"
NO_SECCOMP = "seccomp.available = lambda: False"
AS_NOBODY = (
  "sysconfig.get_paths(); os.setgroups([]); os.setgid(65534); os.setuid(65534)"
)
needs_root = pytest.mark.skipif(
  os.getuid() != 0, reason="only root can be another user"
)


@pytest.fixture
def files(tmp_path):
  """A model, another file, and an empty folder to work in."""
  (tmp_path / "model").mkdir()
  (tmp_path / "model/weights").write_text("weights")
  (tmp_path / "outside").mkdir()
  (tmp_path / "outside/file").write_text("secret")
  (tmp_path / "work").mkdir()
  return tmp_path


def start(files, attempt, *, before="", memory_gib=4, seconds=30, **options):
  attempt = textwrap.indent(textwrap.dedent(attempt), "  ")
  code = START.format(
    before=before, attempt=attempt, memory_gib=memory_gib, seconds=seconds
  )
  paths = [files / "model", files / "outside", files / "work"]
  return subprocess.Popen(
    [sys.executable, "-c", code, *map(str, paths)],
    stdout=subprocess.PIPE,
    text=True,
    cwd=files / "work",
    **options,
  )


def confined(files, attempt, **options):
  """(what was done, what came of the attempt) of a confined process."""
  process = start(files, attempt, **options)
  output, _ = process.communicate(timeout=30)
  lines = output.splitlines()
  return json.loads(lines[0]), lines[1] if len(lines) > 1 else process.returncode


def state(folder):
  """Everything that writing could change."""
  return {
    path: (os.lstat(path)[:6], os.lstat(path).st_mtime_ns, path.is_file())
    for path in sorted(folder.rglob("*"))
  }


WRITING = {
  "write a file": "open(outside + '/new', 'w')",
  "write in the working folder": "open('new', 'w')",
  "write over a file": "open(outside + '/file', 'w')",
  "write over the model": "open(model + '/weights', 'r+')",
  "add to a file": "open(outside + '/file', 'a')",
  "unnamed file": "os.open(outside, os.O_TMPFILE | os.O_RDWR)",
  "cut a file": "os.truncate(outside + '/file', 0)",
  "make a folder": "os.mkdir(own + '/new')",
  "make a pipe": "os.mkfifo(own + '/new')",
  "remove a file": "os.remove(outside + '/file')",
  "remove a folder": "os.rmdir(own)",
  "rename": "os.rename(outside + '/file', outside + '/new')",
  "link": "os.link(outside + '/file', own + '/new')",
  "symbolic link": "os.symlink('/etc/passwd', own + '/new')",
  "change rights": "os.chmod(outside + '/file', 0o777)",
  "change rights of an open file": "os.fchmod(os.open(model, os.O_RDONLY), 0o777)",
  "change the owner": "os.chown(outside + '/file', os.getuid(), os.getgid())",
  "change times": "os.utime(outside + '/file', (1, 1))",
  "label": "os.setxattr(outside + '/file', 'user.x', b'x')",
}


@pytest.mark.parametrize(
  "before",
  [
    pytest.param("", id="everything in this kernel"),
    pytest.param(NO_LANDLOCK, id="no Landlock"),
  ],
)
@pytest.mark.parametrize("attempt", WRITING)
def test_writes_nothing(attempt, before, files):
  kept = state(files)
  record, outcome = confined(files, WRITING[attempt], before=before)
  assert outcome in ("PermissionError 1", "PermissionError 13")
  assert state(files) == kept
  by_landlock = confinement.version() and not before
  how = "Landlock: reads its libraries" if by_landlock else "seccomp: writes nothing"
  assert record["files"].startswith(how)


READING = {
  "another file": "open(outside + '/file').read()",
  "the users": "open('/etc/passwd').read()",
  "another folder": "os.listdir(outside)",
  "the parent": "open(f'/proc/{os.getppid()}/environ').read()",
  "a way round": "open('/proc/self/root' + outside + '/file').read()",
}


@needs_landlock
@pytest.mark.parametrize("attempt", READING)
def test_reads_nothing_else(attempt, files):
  _, outcome = confined(files, READING[attempt])
  assert outcome == "PermissionError 13"


def test_reads_the_model(files):
  _, outcome = confined(files, "assert open(model + '/weights').read() == 'weights'")
  assert outcome == "done"


def test_says_so_if_it_can_read(files):
  attempt = READING["another file"]
  record, outcome = confined(files, attempt, before=NO_LANDLOCK)
  assert outcome == "done"
  assert record["files"].endswith("reads what this user can read")


@pytest.fixture
def port():
  with socket.create_server(("127.0.0.1", 0)) as server:
    server.settimeout(0.1)
    yield server.getsockname()[1]
    with pytest.raises(TimeoutError):  # there was no connection
      server.accept()


NETWORK = {
  "TCP": "socket.socket()",
  "UDP": "socket.socket(type=socket.SOCK_DGRAM)",
  "UNIX": "socket.socket(socket.AF_UNIX)",
  "this machine": "socket.create_connection(('127.0.0.1', {port}), timeout=2)",
}
WITHOUT = {
  "": "none: ",
  NO_NAMESPACE: "none: sockets are denied by seccomp",
  f"{NO_NAMESPACE};{NO_LANDLOCK}": "none: sockets are denied by seccomp",
}


@pytest.mark.parametrize("before", WITHOUT, ids=["all", "no namespace", "only seccomp"])
@pytest.mark.parametrize("attempt", NETWORK)
def test_no_network(attempt, before, port, files):
  code = NETWORK[attempt].format(port=port)
  record, outcome = confined(files, code, before=before)
  assert outcome == "PermissionError 1"
  assert record["network"].startswith(WITHOUT[before])


ONLY_NAMESPACES = f"{NO_SECCOMP};{NO_LANDLOCK}"


def test_the_namespace_suffices(port, files):
  attempt = NETWORK["this machine"].format(port=port)
  record, outcome = confined(files, attempt, before=ONLY_NAMESPACES)
  if record["network"].startswith("open"):
    pytest.skip("this kernel allows no network namespace")
  assert outcome != "done"
  assert record["system_calls"] == "not filtered"


CALL = "library = ctypes.CDLL(None, use_errno=True); result = library."
FAIL = "\nif result < 0: raise OSError(ctypes.get_errno(), '')"


def test_the_namespace_hides_shared_memory(files):
  library = ctypes.CDLL(None)
  number = library.shmget(0, 4096, 0o1600)
  try:
    attempt = CALL + f"shmctl({number}, 0, None)" + FAIL  # IPC_RMID
    record, outcome = confined(files, attempt, before=ONLY_NAMESPACES)
    if record["ipc"].startswith("open"):
      pytest.skip("this kernel allows no IPC namespace")
    assert outcome == "OSError 22"  # there is none of that number
    assert library.shmctl(number, 2, ctypes.create_string_buffer(256)) == 0  # IPC_STAT
  finally:
    library.shmctl(number, 0, None)


@pytest.mark.parametrize("call", ["unshare(0x40000000)", "sethostname(b'', -1)"])
def test_capabilities_are_missed(call, files):
  """Also within its own namespaces, where it had all of them for a moment."""
  _, outcome = confined(files, CALL + call + FAIL, before=ONLY_NAMESPACES)
  assert outcome == "PermissionError 1"


PROCESSES = {
  "shared memory": CALL + "shmget(1, 4096, 0o1600)" + FAIL,
  "message queue": CALL + "msgget(1, 0o1600)" + FAIL,
  "fork": "os.fork()",
  "run a program": "subprocess.run(['/bin/true'])",
  "become a program": "os.execv('/bin/true', ['true'])",
  "spawn": "os.posix_spawn('/bin/true', ['true'], {})",
  "kill the parent": "os.kill(os.getppid(), signal.SIGKILL)",
  "ask about the parent": "os.kill(os.getppid(), 0)",
  "kill everybody": "os.kill(-1, signal.SIGTERM)",
  "kill by handle": (
    "signal.pidfd_send_signal(os.pidfd_open(os.getppid()), signal.SIGKILL)"
  ),
  "limit the parent": "resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (0, 0))",
  "slow the parent": "os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
  "signal by a pipe": "fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, os.getppid())",
}
SYSTEM = {
  "trace the parent": CALL + "ptrace(16, os.getppid(), 0, 0)",
  "another namespace": CALL + "unshare(0x20000)",
  "mount": CALL + "mount(b'none', b'/mnt', b'tmpfs', 0, None)",
  "another root": "os.chroot(model)",
}


@pytest.mark.parametrize("attempt", PROCESSES)
def test_no_other_processes(attempt, files):
  record, outcome = confined(files, PROCESSES[attempt])
  assert outcome == "PermissionError 1"
  assert record["system_calls"].startswith("seccomp: a list of those that compute")


@pytest.mark.parametrize("attempt", SYSTEM)
def test_what_no_library_does_ends_it(attempt, files):
  _, outcome = confined(files, SYSTEM[attempt])
  assert outcome == -signal.SIGSYS


# What Python's own modules and libraries try, some of it without need.
COMMON = """
faulthandler.enable()
fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
fcntl.flock(0, fcntl.LOCK_SH)
mmap.mmap(-1, 4096)
multiprocessing.Lock()
multiprocessing.Pipe()
os.chdir("/")
os.eventfd(0)
os.get_terminal_size()
os.getloadavg()
os.getpgid(0)
os.getpriority(os.PRIO_PROCESS, 0)
os.getxattr(model, "user.x")
os.isatty(0)
os.memfd_create("x")
os.nice(1)
os.pidfd_open(os.getpid())
os.posix_fadvise(0, 0, 0, os.POSIX_FADV_DONTNEED)
os.pwrite(2, b"", 0)
os.sched_getaffinity(0)
os.sched_setaffinity(0, {0})
os.sendfile(1, 0, 0, 1)
os.set_blocking(0, True)
os.set_inheritable(0, False)
os.setsid()
os.fsync(2)
os.umask(0o22)
os.waitpid(-1, 0)
resource.getrusage(resource.RUSAGE_SELF)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
select.epoll()
select.poll()
shutil.copy(model + "/weights", own)
shutil.rmtree(own)
signal.alarm(1)
signal.setitimer(signal.ITIMER_REAL, 1)
signal.sigtimedwait([signal.SIGUSR1], 0)
socket.create_connection(("127.0.0.1", 1))
socket.socketpair()
subprocess.run(["true"])
tempfile.TemporaryFile()
threading.Timer(0, os.getpid).start()
time.sleep(0)
"""


def test_common_attempts_do_not_end_it(files):
  attempt = f"""
    for line in {COMMON.split(chr(10))!r}:
      try: exec(line)
      except (OSError, ValueError, NotImplementedError): pass
  """
  imports = "import faulthandler, mmap, multiprocessing, select, shutil, tempfile, time"
  assert confined(files, attempt, before=imports)[1] == "done"


def test_threads_work(files):
  attempt = """
    threads = [threading.Thread(target=os.getpid) for _ in range(3)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
  """
  assert confined(files, attempt)[1] == "done"


@needs_root
def test_threads_of_an_ordinary_user_are_counted(files):
  attempt = """
    threading.stack_size(2**18)
    try:
      for _ in range(3000):
        threading.Thread(target=signal.pause, daemon=True).start()
    finally:
      print(len(os.listdir("/proc/self/task")), flush=True)
      os._exit(0)
  """
  record, started = confined(files, attempt, before=AS_NOBODY)
  if "evaluator" in record["threads"]:
    pytest.skip("this kernel allows no user namespace, or is older than 5.14")
  assert int(started) == most_threads()
  assert record["threads"].startswith(f"at most {started}: counted in a user namespace")


def test_says_so_if_the_kernel_counts_no_threads(files):
  record, _ = confined(files, "pass", before=NO_NAMESPACE)
  assert record["threads"] == f"at most {most_threads()}: counted by the evaluator"


@pytest.mark.parametrize("before", WITHOUT, ids=["all", "no namespace", "only seccomp"])
def test_no_capabilities(before, files):
  attempt = """
    lines = open("/proc/self/status").read().splitlines()
    print({line.split()[1] for line in lines if line.startswith("Cap")}, flush=True)
  """
  record, outcome = confined(files, attempt, before=before)
  if os.getuid() == 0 or not before:  # others cannot change what they might have got
    assert outcome == "{'0000000000000000'}"
  assert record["capabilities"] == "none"


def test_threads_are_confined(files):
  attempt = """
    found = []
    def write():
      try: open(outside + '/new', 'w')
      except OSError as error: found.append(error)
    thread = threading.Thread(target=write)
    thread.start(); thread.join()
    raise found[0]
  """
  assert confined(files, attempt)[1].startswith("PermissionError")


def test_memory(files):
  record, outcome = confined(files, "bytearray(2 * 2**30)", memory_gib=1)
  assert outcome.startswith("MemoryError")
  assert record["memory_gib"] == 1


def test_computing(files):
  started = time.monotonic()
  record, outcome = confined(files, "while True: pass", seconds=1)
  assert outcome in (-signal.SIGKILL, -signal.SIGXCPU)
  assert record["cpu_seconds"] == 1
  assert time.monotonic() - started < 10


def test_limits_cannot_be_lifted(files):
  attempt = "resource.setrlimit(resource.RLIMIT_DATA, (2**40, 2**40))"
  assert confined(files, attempt, memory_gib=1)[1].startswith("ValueError")


def test_its_error_stream_is_short(files):
  with open(files / "errors", "wb") as errors:
    attempt = "while True: os.write(2, b'x' * 2**16)"
    _, outcome = confined(files, attempt, stderr=errors)
  assert outcome == "OSError 27"
  assert (files / "errors").stat().st_size == 2**20


def test_ends_with_its_parent(files):
  """A process in between starts it, prints its number, and ends."""
  between = (
    "import os, subprocess, sys\n"
    "child = subprocess.Popen([sys.executable, '-c', sys.argv[1], *sys.argv[2:]],"
    " stdout=subprocess.PIPE)\n"
    "child.stdout.readline()\n"  # it is confined
    "print(child.pid, flush=True)\n"
    "os._exit(0)\n"
  )
  code = START.format(before="", attempt="  signal.pause()", memory_gib=1, seconds=30)
  paths = [str(files / name) for name in ("model", "outside", "work")]
  found = subprocess.run(
    [sys.executable, "-c", between, code, *paths], capture_output=True, text=True
  )
  assert wait_until_gone(int(found.stdout))


def wait_until_gone(process):
  for _ in range(100):
    status = pathlib.Path(f"/proc/{process}/stat")
    try:
      if status.read_text().rpartition(")")[2].split()[0] == "Z":
        return True
    except OSError:
      return True
    time.sleep(0.05)
  return False
