"""What a command costs: seconds, CPU seconds and memory of it and its children."""

import contextlib
import dataclasses
import os
import pathlib
import pty
import re
import resource
import signal
import subprocess
import sys
import termios
import threading
import time

ROOT = pathlib.Path(__file__).parents[1]
TICKS = os.sysconf("SC_CLK_TCK")
POLL_SECONDS = 0.02  # for the output
LOOK_SECONDS = 0.25  # for the processes, which costs a few milliseconds


@dataclasses.dataclass
class Cost:
  """Seconds and memory of a command, until its end or until `seen`.

  Attributes:
    wall, cpu: seconds; `cpu` of the whole tree of processes.
    peak_mb: most resident memory of the tree at a time. Shared pages count in each
      process.
    output: everything that it printed.
    resident: [(seconds, MB of the largest process below the command)].
  """

  wall: float
  cpu: float
  peak_mb: int
  output: str
  resident: list

  def times(self):
    return {"wall": self.wall, "cpu": self.cpu}


def cost_of_python(*arguments, **options):
  """Cost of this Python with the arguments, in the root of the project."""
  return cost_of([sys.executable, *map(str, arguments)], **options)


def cost_of(command, *, until=None, may_fail=False):
  """Run the command; return its `Cost`.

  Args:
    until: regular expression; once the output has it, the clocks are read and the
      command is ended. The output is a terminal, where progress shows at once.
    may_fail: whether an exit code other than 0 is expected.
  """
  environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONUNBUFFERED": "1"}
  before, started = _seconds_of_children(), time.perf_counter()
  source, sink = os.pipe() if until is None else pty.openpty()
  if until is not None:
    termios.tcsetwinsize(sink, (40, 200))
  process = subprocess.Popen(
    command,
    stdout=sink,
    stderr=sink,
    cwd=ROOT,
    env=environment,
    start_new_session=True,
  )
  os.close(sink)
  output = bytearray()
  reader = threading.Thread(target=_read, args=(source, output))
  reader.start()
  cpu, peak, resident, found, looked_at = {}, 0, [], False, -LOOK_SECONDS
  while process.poll() is None and not found:
    found = until is not None and re.search(until, output.decode(errors="replace"))
    now = time.perf_counter() - started
    if now < looked_at + LOOK_SECONDS and not found:
      time.sleep(POLL_SECONDS)
      continue
    looked, looked_at = tree(process.pid), now
    cpu |= {pid: each["cpu"] for pid, each in looked.items()}
    peak = max(peak, sum(each["mb"] for each in looked.values()))
    below = [each["mb"] for pid, each in looked.items() if pid != process.pid]
    resident.append((now, max(below, default=0)))
  wall = time.perf_counter() - started
  if process.poll() is None:
    os.killpg(process.pid, signal.SIGKILL)
  status = process.wait()
  reader.join()
  text = output.decode(errors="replace")
  if until is None:  # children that were waited for are counted exactly
    total = _seconds_of_children() - before
  else:
    total = sum(cpu.values())
    if not found:
      raise RuntimeError(f"{command} ended without {until!r}:\n{text[-2000:]}")
  if until is None and status and not may_fail:
    raise RuntimeError(f"{command} failed:\n{text[-2000:]}")
  return Cost(wall, total, round(peak), text, resident)


def tree(root):
  """{process: {"cpu": seconds, "mb": resident}} of a process and all below it."""
  parents, found = {}, {}
  for folder in pathlib.Path("/proc").glob("[0-9]*"):
    with contextlib.suppress(OSError, ValueError):
      fields = (folder / "stat").read_text().rpartition(")")[2].split()
      pid = int(folder.name)
      parents[pid] = int(fields[1])
      cpu = (int(fields[11]) + int(fields[12])) / TICKS
      found[pid] = {
        "cpu": cpu,
        "mb": int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6,
      }
  wanted, size = {root}, 0
  while len(wanted) > size:
    size = len(wanted)
    wanted |= {pid for pid, parent in parents.items() if parent in wanted}
  return {pid: found[pid] for pid in wanted if pid in found}


def timed_with_children(function, *, before=lambda: None):
  """As `interleaved.timed`; the CPU seconds are those of all living children, too."""

  def cpu():
    return sum(each["cpu"] for each in tree(os.getpid()).values())

  def take():
    before()
    wall, used = time.perf_counter(), cpu()
    function()
    return {"wall": time.perf_counter() - wall, "cpu": cpu() - used}

  return take


def _read(source, output):
  """Append what a pipe or a terminal gives, until its other end is closed."""
  with contextlib.suppress(OSError):  # a terminal's end
    for block in iter(lambda: os.read(source, 65536), b""):
      output.extend(block)
  os.close(source)


def _seconds_of_children():
  usage = resource.getrusage(resource.RUSAGE_CHILDREN)
  return usage.ru_utime + usage.ru_stime
