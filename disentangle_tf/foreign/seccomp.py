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
  "process_madvise": (440, 440),
  "kcmp": (312, 272),
  "setpriority": (141, 140),
  "migrate_pages": (256, 238),
  "move_pages": (279, 239),
  "shmget": (29, 194),
  "shmat": (30, 196),
  "semget": (64, 190),
  "msgget": (68, 186),
  "msgsnd": (69, 189),
  "msgrcv": (70, 188),
  "mq_open": (240, 180),
  # the system
  "mount": (165, 40),
  "umount2": (166, 39),
  "move_mount": (429, 429),
  "open_tree": (428, 428),
  "mount_setattr": (442, 442),
  "fsopen": (430, 430),
  "fsmount": (432, 432),
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
  "delete_module": (176, 106),
  "kexec_load": (246, 104),
  "kexec_file_load": (320, 294),
  "reboot": (169, 142),
  "acct": (163, 89),
  "swapon": (167, 224),
  "swapoff": (168, 225),
  "sethostname": (170, 161),
  "setdomainname": (171, 162),
  "settimeofday": (164, 170),
  "clock_settime": (227, 112),
  "adjtimex": (159, 171),
  "clock_adjtime": (305, 266),
  "quotactl": (179, 60),
  "fanotify_init": (300, 262),
  "syslog": (103, 116),
  "iopl": (172, None),
  "ioperm": (173, None),
  # files; Landlock does not know of the rights, times and labels of files
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
  "fchmod": (91, 52),
  "fchmodat": (268, 53),
  "fchmodat2": (452, 452),
  "chown": (92, None),
  "fchown": (93, 55),
  "lchown": (94, None),
  "fchownat": (260, 54),
  "utime": (132, None),
  "utimes": (235, None),
  "futimesat": (261, None),
  "utimensat": (280, 88),
  "setxattr": (188, 5),
  "lsetxattr": (189, 6),
  "fsetxattr": (190, 7),
  "setxattrat": (463, 463),
  "removexattr": (197, 14),
  "lremovexattr": (198, 15),
  "fremovexattr": (199, 16),
  "removexattrat": (466, 466),
}
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_CLONE, _CLONE3, _TGKILL = (56, 220), (435, 435), (234, 131)
_PRLIMIT, _FCNTL = (302, 261), (72, 25)
_SIGNALS_OF_FILES = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: to any process
_OPEN, _OPENAT, _OPENAT2 = (2, None), (257, 56), (437, 437)
_CLONE_THREAD = 0x10000
_OPENED_TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

_LOAD, _EQUAL, _ANY_BIT, _AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2


def available():
  """Whether this machine is one whose system calls are known here."""
  return os.uname().sysname == "Linux" and platform.machine() in _MACHINES


def deny():
  """From now on no sockets, programs, signals to others, writing, mounts and so on."""
  program = _program(*_MACHINES[platform.machine()], os.getpid())
  code = ctypes.create_string_buffer(b"".join(program))
  header = struct.pack("HL", len(program), ctypes.addressof(code))
  library = ctypes.CDLL(None, use_errno=True)
  for arguments in ((_NO_NEW_PRIVILEGES, 1, 0), (_SET_SECCOMP, _FILTER, header)):
    if library.prctl(*arguments, 0, 0):
      raise OSError(ctypes.get_errno(), "prctl")


def _program(column, architecture, process):
  """The filter's instructions: what is not named is allowed."""
  steps = [
    _step(_LOAD, 4),
    _step(_EQUAL, architecture, then=1),
    _step(_RETURN, _KILL),
    _step(_LOAD, 0),
  ]
  if column == 0:  # the x32 numbers of x86-64 would pass by the others
    steps += [_step(_AT_LEAST, 0x40000000, otherwise=1), _step(_RETURN, _KILL)]
  for number in (row[column] for row in _DENIED.values()):
    if number is not None:
      steps += _if(number, [_fail(errno.EPERM)])
  # Threads may be started, processes not; the C library falls back from clone3.
  steps += _if(_CLONE3[column], [_fail(errno.ENOSYS)])
  steps += _if(_CLONE[column], _unless_argument(0, _ANY_BIT, _CLONE_THREAD))
  steps += _if(_TGKILL[column], _unless_argument(0, _EQUAL, process))
  steps += _if(_PRLIMIT[column], _unless_argument(0, _EQUAL, 0))
  steps += _if(_FCNTL[column], _if_argument_is(1, _SIGNALS_OF_FILES))
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


def _if_argument_is(position, values):
  tests = [(_step(_EQUAL, v, otherwise=1), _fail(errno.EPERM)) for v in values]
  steps = [step for test in tests for step in test]
  return [_step(_LOAD, 16 + 8 * position), *steps, _step(_RETURN, _ALLOW)]


def _test(position, test, value):
  """Goes to the second step after it if the argument passes the test."""
  return [_step(_LOAD, 16 + 8 * position), _step(test, value, then=1)]


def _fail(number):
  return _step(_RETURN, _FAIL | number)


def _step(code, value, *, then=0, otherwise=0):
  return struct.pack("HBBI", code, then, otherwise, value)
