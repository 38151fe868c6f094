"""The lists of system calls, in the filters of both machines."""

import errno
import os

import pytest
from filter_machine import verdict
from forbidden_attempts import UNNAMED

from disentangle_tf.foreign.sandbox import seccomp, system_calls
from disentangle_tf.foreign.sandbox.system_call_numbers import NUMBERS

MACHINES = ("x86_64", "aarch64")
PROCESS = 4321
ALLOWED = " ".join(system_calls.ALLOWED.values()).split()
REFUSED = {
  name: error
  for error, groups in system_calls.REFUSED.items()
  for name in " ".join(groups.values()).split()
}


def ask(machine, name, *arguments):
  """The filter's answer, None where there is no such call."""
  number = (NUMBERS | UNNAMED)[name][MACHINES.index(machine)]
  if number is None:
    return None
  return verdict(seccomp.program(machine, PROCESS), machine, number, *arguments)


def test_no_call_is_decided_twice():
  names = [*ALLOWED, *REFUSED, *system_calls.checked(PROCESS)]
  assert len(names) == len(set(names))
  assert set(names) == set(NUMBERS)
  assert not set(names) & set(UNNAMED)


@pytest.mark.parametrize("machine", MACHINES)
def test_the_lists(machine):
  for name in ALLOWED:
    assert ask(machine, name) in ("allow", None)
  for name, error in REFUSED.items():
    assert ask(machine, name) in (error, None)


WRITABLE, EXECUTABLE = 3, 5
PRIVATE, SHARED, ANONYMOUS = 2, 1, 0x20
THREAD = 0x3D0F00
GOOD = {
  "memory": ("mmap", 0, 4096, WRITABLE, PRIVATE | ANONYMOUS),
  "a stack": ("mmap", 0, 4096, 0, PRIVATE | ANONYMOUS | 0x20000),
  "an arena": ("mmap", 0, 2**27, 0, PRIVATE | ANONYMOUS | 0x4000),
  "a library": ("mmap", 0, 4096, EXECUTABLE, PRIVATE | 0x800),
  "a library's data": ("mmap", 0, 4096, WRITABLE, PRIVATE | 0x810),
  "a file to read": ("mmap", 0, 4096, 1, SHARED),
  "random numbers of newer C libraries": ("mmap", 0, 4096, WRITABLE, 8 | ANONYMOUS),
  "a thread": ("clone", THREAD),
  "musl's thread": ("clone", 0x7D0F00),
  "give memory back": ("madvise", 0, 4096, 4),
  "guard a stack": ("madvise", 0, 4096, 102),
  "read a file": ("openat", 0, 0, os.O_RDONLY | os.O_CLOEXEC),
  "read a folder": ("openat", 0, 0, os.O_DIRECTORY | os.O_CLOEXEC | os.O_NONBLOCK),
  "open as before": ("open", 0, os.O_RDONLY | 0o100000),
  "copy a descriptor": ("fcntl", 3, 1030, 0),
  "keep flags": ("fcntl", 3, 4, 0o100000),
  "is it a terminal": ("ioctl", 1, 0x5401),
  "name a thread": ("prctl", 15, 0),
  "matrix units": ("arch_prctl", 0x1023, 18),
  "its limits": ("prlimit64", 0, 7, 0, 0x7FFF0000),
  "end itself": ("tgkill", PROCESS, 5, 6),
  "signal itself": ("kill", PROCESS, 6),
}
BAD = {
  "shared memory": ("mmap", 0, 4096, WRITABLE, SHARED | ANONYMOUS, errno.EPERM),
  "shared memory to read": ("mmap", 0, 4096, 1, SHARED | ANONYMOUS, errno.EPERM),
  "a file to write": ("mmap", 0, 4096, WRITABLE, SHARED, errno.EPERM),
  "a file to write, in 64 bits": ("mmap", 0, 0, 1 | 1 << 33, SHARED, errno.EPERM),
  "a downward stack": ("mmap", 0, 0, WRITABLE, PRIVATE | 0x120, errno.EPERM),
  "huge pages": ("mmap", 0, 0, WRITABLE, PRIVATE | 0x40020, errno.EPERM),
  "a process": ("clone", 17, errno.EPERM),
  "a process that shares all": ("clone", THREAD & ~0x10000, errno.EPERM),
  "a namespace": ("clone", THREAD | 0x10000000, errno.EPERM),
  "put pages out": ("madvise", 0, 4096, 21, errno.EINVAL),
  "write a file": ("openat", 0, 0, os.O_WRONLY, errno.EACCES),
  "unnamed files": ("openat", 0, 0, os.O_TMPFILE | os.O_RDWR, errno.EACCES),
  "write as before": ("open", 0, os.O_RDWR, errno.EACCES),
  "signals of a pipe": ("fcntl", 3, 8, 1, errno.EPERM),
  "signals at all": ("fcntl", 3, 4, 0o20000, errno.EPERM),
  "signals, in 64 bits": ("ioctl", 3, 0x5452 | 1 << 32, errno.ENOTTY),
  "outlive": ("prctl", 1, 0, errno.EINVAL),
  "another's limits": ("prlimit64", PROCESS + 1, 7, 0, 1, errno.EPERM),
  "new limits": ("prlimit64", 0, 7, 1 << 40, 0, errno.EPERM),
  "end another": ("tgkill", PROCESS + 1, 5, 6, errno.EPERM),
  "signal everybody": ("kill", -1, 9, errno.EPERM),
}


@pytest.mark.parametrize("machine", MACHINES)
def test_arguments(machine):
  for case, (name, *arguments) in GOOD.items():
    assert ask(machine, name, *arguments) in ("allow", None), case
  for case, (name, *arguments, error) in BAD.items():
    assert ask(machine, name, *arguments) in (error, None), case
