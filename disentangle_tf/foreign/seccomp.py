"""Which system calls this process may make, by Linux's seccomp filters.

Standard library only, because it runs before anything else is imported.
"""

import ctypes
import errno
import os
import platform
import struct

# name: number on (x86-64, ARM 64); what is not there has no number.
_DENIED = {
  # other machines, other programs on this one
  "socket": (41, 198),
  "connect": (42, 203),
  "bind": (49, 200),
  "listen": (50, 201),
  "sendto": (44, 206),
  "io_uring_setup": (425, 425),
  # new programs
  "fork": (57, None),
  "vfork": (58, None),
  "execve": (59, 221),
  "execveat": (322, 281),
  # other processes
  "kill": (62, 129),
  "tkill": (200, 130),
  "rt_sigqueueinfo": (129, 138),
  "rt_tgsigqueueinfo": (297, 240),
  "pidfd_send_signal": (424, 424),
  "pidfd_getfd": (438, 438),
  "ptrace": (101, 117),
  "process_vm_readv": (310, 270),
  "process_vm_writev": (311, 271),
  # the system
  "mount": (165, 40),
  "umount2": (166, 39),
  "move_mount": (429, 429),
  "open_tree": (428, 428),
  "pivot_root": (155, 41),
  "chroot": (161, 51),
  "setns": (308, 268),
  "unshare": (272, 97),
  "open_by_handle_at": (304, 265),
  "bpf": (321, 280),
  "perf_event_open": (298, 241),
  "userfaultfd": (323, 282),
  "keyctl": (250, 219),
  "add_key": (248, 217),
  "request_key": (249, 218),
  "init_module": (175, 105),
  "finit_module": (313, 273),
  "kexec_load": (246, 104),
  "reboot": (169, 142),
}
_WRITING = {
  "creat": (85, None),
  "truncate": (76, 45),
  "rename": (82, None),
  "renameat": (264, 38),
  "renameat2": (316, 276),
  "mkdir": (83, None),
  "mkdirat": (258, 34),
  "rmdir": (84, None),
  "unlink": (87, None),
  "unlinkat": (263, 35),
  "link": (86, None),
  "linkat": (265, 37),
  "symlink": (88, None),
  "symlinkat": (266, 36),
  "mknod": (133, None),
  "mknodat": (259, 33),
  "chmod": (90, None),
  "fchmodat": (268, 53),
  "chown": (92, None),
  "fchownat": (260, 54),
}
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_CLONE, _CLONE3, _TGKILL = (56, 220), (435, 435), (234, 131)
_OPEN, _OPENAT, _OPENAT2 = (2, None), (257, 56), (437, 437)
_CLONE_THREAD = 0x10000
_OPENED_TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

_LOAD, _EQUAL, _ANY_BIT, _AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2


def available():
  """Whether this machine is one whose system calls are known here."""
  return os.uname().sysname == "Linux" and platform.machine() in _MACHINES


def deny(*, writing):
  """From now on no sockets, new programs, signals to others, mounts and the like.

  Args:
    writing: whether to refuse to open, make, rename or remove files as well.
  """
  program = _program(*_MACHINES[platform.machine()], os.getpid(), writing)
  code = ctypes.create_string_buffer(b"".join(program))
  header = struct.pack("HL", len(program), ctypes.addressof(code))
  library = ctypes.CDLL(None, use_errno=True)
  for arguments in ((_NO_NEW_PRIVILEGES, 1, 0), (_SET_SECCOMP, _FILTER, header)):
    if library.prctl(*arguments, 0, 0):
      raise OSError(ctypes.get_errno(), "prctl")


def _program(column, architecture, process, writing):
  """The filter's instructions: what is not named is allowed."""
  tables = (_DENIED, _WRITING) if writing else (_DENIED,)
  numbers = [row[column] for table in tables for row in table.values()]
  steps = [
    _step(_LOAD, 4),
    _step(_EQUAL, architecture, then=1),
    _step(_RETURN, _KILL),
    _step(_LOAD, 0),
  ]
  if column == 0:  # the x32 numbers of x86-64 would pass by the others
    steps += [_step(_AT_LEAST, 0x40000000, otherwise=1), _step(_RETURN, _KILL)]
  for number in numbers:
    if number is not None:
      steps += _if(number, [_fail(errno.EPERM)])
  # Threads may be started, processes not; the C library falls back from clone3.
  steps += _if(_CLONE3[column], [_fail(errno.ENOSYS)])
  steps += _if(_CLONE[column], _unless_argument(0, _ANY_BIT, _CLONE_THREAD))
  steps += _if(_TGKILL[column], _unless_argument(0, _EQUAL, process))
  if writing:
    steps += _if(_OPENAT2[column], [_fail(errno.ENOSYS)])
    for number, position in ((_OPEN[column], 1), (_OPENAT[column], 2)):
      if number is not None:
        steps += _if(number, _if_argument(position, _ANY_BIT, _OPENED_TO_WRITE))
  return [*steps, _step(_RETURN, _ALLOW)]


def _if(number, steps):
  """`steps`, taken by one system call; they must return."""
  return [_step(_EQUAL, number, otherwise=len(steps)), *steps]


def _unless_argument(position, test, value):
  return [*_test(position, test, value), _fail(errno.EPERM), _step(_RETURN, _ALLOW)]


def _if_argument(position, test, value):
  return [*_test(position, test, value), _step(_RETURN, _ALLOW), _fail(errno.EACCES)]


def _test(position, test, value):
  """Goes to the second step after it if the argument passes the test."""
  return [_step(_LOAD, 16 + 8 * position), _step(test, value, then=1)]


def _fail(number):
  return _step(_RETURN, _FAIL | number)


def _step(code, value, *, then=0, otherwise=0):
  return struct.pack("HBBI", code, then, otherwise, value)
