"""What a confined process tries and must not get: a table, and the program that tries.

`python forbidden_attempts.py SETTINGS` works through the table in confined processes, a
new one whenever one has died, and prints one line of JSON per attempt. It imports
nothing large, so that a process takes milliseconds. SETTINGS is JSON: "scene", what
there is to attack; "names" of attempts; "walls" that are missing, None to go without
any; "user", the number of the user to become, or None.
"""

import ctypes
import json
import os
import platform
import struct
import sys
import sysconfig
import traceback
import types

from disentangle_tf.foreign.sandbox import confinement
from disentangle_tf.foreign.sandbox.system_call_numbers import NUMBERS

COLUMN = {"x86_64": 0, "aarch64": 1}.get(platform.machine())
# Numbers of calls that the sandbox does not even name, on (x86-64, ARM64).
UNNAMED = {
  "accept": (43, 202),
  "accept4": (288, 242),
  "acct": (163, 89),
  "add_key": (248, 217),
  "adjtimex": (159, 171),
  "bind": (49, 200),
  "bpf": (321, 280),
  "chroot": (161, 51),
  "clock_adjtime": (305, 266),
  "clock_settime": (227, 112),
  "delete_module": (176, 106),
  "fanotify_init": (300, 262),
  "file_setattr": (469, 469),
  "finit_module": (313, 273),
  "fsconfig": (431, 431),
  "fsmount": (432, 432),
  "fsopen": (430, 430),
  "fspick": (433, 433),
  "get_robust_list": (274, 100),
  "init_module": (175, 105),
  "inotify_add_watch": (254, 27),
  "io_submit": (209, 2),
  "io_uring_enter": (426, 426),
  "io_uring_register": (427, 427),
  "ioperm": (173, None),
  "iopl": (172, None),
  "ioprio_get": (252, 31),
  "ioprio_set": (251, 30),
  "kexec_file_load": (320, 294),
  "kexec_load": (246, 104),
  "listen": (50, 201),
  "listmount": (458, 458),
  "lsm_set_self_attr": (460, 460),
  "memfd_secret": (447, 447),
  "modify_ldt": (154, None),
  "mount": (165, 40),
  "mount_setattr": (442, 442),
  "move_mount": (429, 429),
  "mq_getsetattr": (245, 185),
  "mq_notify": (244, 184),
  "mq_timedsend": (242, 182),
  "mq_unlink": (241, 181),
  "msgctl": (71, 187),
  "msgrcv": (70, 188),
  "msgsnd": (69, 189),
  "open_by_handle_at": (304, 265),
  "open_tree": (428, 428),
  "open_tree_attr": (467, 467),
  "pidfd_getfd": (438, 438),
  "pidfd_send_signal": (424, 424),
  "pivot_root": (155, 41),
  "process_mrelease": (448, 448),
  "process_vm_writev": (311, 271),
  "ptrace": (101, 117),
  "quotactl": (179, 60),
  "reboot": (169, 142),
  "recvmsg": (47, 212),
  "remap_file_pages": (216, 234),
  "removexattrat": (466, 466),
  "request_key": (249, 218),
  "semctl": (66, 191),
  "semop": (65, 193),
  "semtimedop": (220, 192),
  "sendmmsg": (307, 269),
  "sendmsg": (46, 211),
  "sendto": (44, 206),
  "set_mempolicy_home_node": (450, 450),
  "setdomainname": (171, 162),
  "sethostname": (170, 161),
  "setns": (308, 268),
  "setsockopt": (54, 208),
  "settimeofday": (164, 170),
  "setxattrat": (463, 463),
  "shmat": (30, 196),
  "shmctl": (31, 195),
  "shutdown": (48, 210),
  "splice": (275, 76),
  "statmount": (457, 457),
  "swapoff": (168, 225),
  "swapon": (167, 224),
  "sync": (162, 81),
  "syncfs": (306, 267),
  "syslog": (103, 116),
  "tee": (276, 77),
  "timer_settime": (223, 110),
  "umount2": (166, 39),
  "unshare": (272, 97),
  "userfaultfd": (323, 282),
  "vhangup": (153, 58),
  "vmsplice": (278, 75),
}

# What stops an attempt.
PERMISSION, UNKNOWN, ACCESS = "seccomp: EPERM", "seccomp: ENOSYS", "seccomp: EACCES"
NO_SUCH_REQUEST, NO_SUCH_OPTION = "seccomp: ENOTTY", "seccomp: EINVAL"
DEATH = "seccomp: SIGSYS"
LANDLOCK = "Landlock: EACCES"  # and nothing where there is no Landlock
NO_MEMORY, NO_DESCRIPTORS = "limit: ENOMEM", "limit: EMFILE"
TOO_LONG = "limit: EFBIG"


def call(name, *arguments):
  """A system call as it is, without the C library's help.

  Args:
    name: or a number.
    arguments: numbers, or bytes, of which it gets the address.
  """
  number = (NUMBERS | UNNAMED)[name][COLUMN] if isinstance(name, str) else name
  if number is None:
    raise NotImplementedError(name)
  kept = [ctypes.create_string_buffer(a) if type(a) is bytes else a for a in arguments]
  values = [a % 2**64 if type(a) is int else ctypes.addressof(a) for a in kept]
  values += [0] * (6 - len(values))
  tell(call=[number, *values])
  function = ctypes.CDLL(None, use_errno=True).syscall
  function.restype = ctypes.c_long
  result = function(ctypes.c_long(number), *map(ctypes.c_ulong, values))
  if result == -1:
    raise OSError(ctypes.get_errno(), name)
  return result


def tell(**what):
  print(json.dumps(what), flush=True)


def stopped(how, attempts):
  return {name: (how, attempt) for name, attempt in attempts.items()}


def each(*names):
  """Calls of which the arguments do not matter; they could do no harm."""
  return {name: lambda _, name=name: call(name) for name in names}


HERE = -100 % 2**64  # AT_FDCWD
THREAD = 0x3D0F00  # CLONE_VM and so on
PRIVATE, SHARED, ANONYMOUS = 2, 1, 0x20
READ, WRITE, EXECUTE = 1, 2, 4
SIGKILL = 9


def map_memory(flags, *, size=4096, protection=READ | WRITE, file=-1):
  return call("mmap", 0, size, protection, flags, file, 0)


def clone(flags):
  """A stack of nothing: were it allowed, the new thread would end the process."""
  call("clone", flags, 0, 0, 0, 0)


def message(scene):
  """A message to a named datagram socket, with a descriptor in it."""
  name = ctypes.create_string_buffer(struct.pack("H108s", 1, scene.socket))
  content = ctypes.create_string_buffer(b"secret")
  vector = ctypes.create_string_buffer(
    struct.pack("QQ", ctypes.addressof(content), 6), 16
  )
  rights = ctypes.create_string_buffer(struct.pack("QiiiI", 20, 1, 1, 0, 0), 24)
  header = struct.pack(
    "QIxxxxQQQQi",
    *(ctypes.addressof(name), 110, ctypes.addressof(vector), 1),
    *(ctypes.addressof(rights), 24, 0),
  )
  message.kept = (name, content, vector, rights)
  return header


def socket_pair(_):
  call("socketpair", 1, 2, 0, bytes(8))


def through_32_bits(_):
  """Calls the kernel as 32-bit programs do: other numbers for the same calls."""
  if platform.machine() != "x86_64":
    raise NotImplementedError
  address = map_memory(PRIVATE | ANONYMOUS, protection=READ | WRITE | EXECUTE)
  code = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"  # mov eax, 20 (getpid); int 0x80; ret
  ctypes.memmove(address, code, len(code))
  ctypes.CFUNCTYPE(ctypes.c_int)(address)()


def x32(_):
  if platform.machine() != "x86_64":
    raise NotImplementedError
  call(0x40000000 + NUMBERS["getpid"][COLUMN])


def read_only_memory(_):
  """What was filled and is no longer writable is not counted as data."""
  while True:
    address = map_memory(PRIVATE | ANONYMOUS, size=2**28)
    call("mprotect", address, 2**28, READ)


def many_descriptors(_):
  while True:
    call("dup", 0)


def long_errors(scene):
  """More text than the error stream may hold, written over its content."""
  while True:
    call("write", scene.errors, b"x" * 2**18, 2**18)


ATTEMPTS = {
  # H3 and H5 of the first attack
  **stopped(
    DEATH,
    {
      "send to a UNIX socket": lambda s: call("sendmsg", s.pair, message(s), 0),
      "remove shared memory": lambda s: call("shmctl", s.shared, 0, 0),
      "remove semaphores": lambda s: call("semctl", s.semaphores, 0, 0, 0),
      "remove a message queue": lambda s: call("msgctl", s.messages, 0, 0),
      "lower a semaphore": lambda s: call(
        "semop", s.semaphores, struct.pack("Hhh", 0, -1, 0), 1
      ),
      "remove a named queue": lambda s: call("mq_unlink", s.queue),
      "input and output priority of another": lambda s: call(
        "ioprio_set", 1, s.other, 3 << 13
      ),
      "attributes of a file": lambda s: call(
        "file_setattr",
        HERE,
        s.file,
        struct.pack("QIIII", 8, 0, 0, 0, 0),
        24,
        0,
      ),
      "attach shared memory": lambda s: call("shmat", s.shared, 0, 0),
      "a 32-bit call": through_32_bits,
      "an x32 call": x32,
      "call 500": lambda s: call(500),
      "call 600": lambda s: call(600),
      "call 1000": lambda s: call(1000),
      "call -1": lambda s: call(-1),
    },
  ),
  **stopped(
    PERMISSION,
    {
      "watch files": lambda s: call("inotify_init1", 0),
      "a pair of sockets": socket_pair,
      "other cores for another": lambda s: call(
        "sched_setaffinity", s.other, 8, struct.pack("Q", 1)
      ),
      "another scheduler for another": lambda s: call(
        "sched_setscheduler", s.other, 5, bytes(4)
      ),
      "other scheduling of another": lambda s: call(
        "sched_setattr", s.other, struct.pack("IIQiIQQQ", 48, 5, 0, 0, 0, 0, 0, 0), 0
      ),
      "a thread in a user namespace": lambda s: clone(THREAD | 0x10000000),
      "a thread in a mount namespace": lambda s: clone(THREAD | 0x00020000),
      "a thread in a network namespace": lambda s: clone(THREAD | 0x40000000),
      "a thread in an IPC namespace": lambda s: clone(THREAD | 0x08000000),
      "a thread in a process namespace": lambda s: clone(THREAD | 0x20000000),
      "a thread in a host name namespace": lambda s: clone(THREAD | 0x04000000),
      "a thread in a cgroup namespace": lambda s: clone(THREAD | 0x02000000),
      "shared memory": lambda s: map_memory(SHARED | ANONYMOUS),
      "shared memory to read": lambda s: map_memory(
        SHARED | ANONYMOUS, protection=READ
      ),
      "memory that grows down": lambda s: map_memory(PRIVATE | ANONYMOUS | 0x100),
      "a file in memory to write": lambda s: map_memory(SHARED, file=s.errors),
      "the same, validated": lambda s: map_memory(3, file=s.errors),
      "huge pages": lambda s: map_memory(PRIVATE | ANONYMOUS | 0x40000),
      "locked memory": lambda s: map_memory(PRIVATE | ANONYMOUS | 0x2000),
      "unknown kinds of memory": lambda s: map_memory(PRIVATE | ANONYMOUS | 1 << 40),
    },
  ),
  **stopped(UNKNOWN, {"memory as a file": lambda s: call("memfd_create", b"x", 0)}),
  **stopped(
    NO_SUCH_OPTION,
    {"outlive the evaluator": lambda s: call("prctl", 1, 0, 0, 0, 0)},
  ),
  **stopped(
    NO_SUCH_REQUEST,
    {
      "own a pipe": lambda s: call("ioctl", s.pipe, 0x8901, struct.pack("i", s.other)),
      "signals from a pipe": lambda s: call(
        "ioctl", s.pipe, 0x5452, struct.pack("i", 1)
      ),
      "the same, in 64 bits": lambda s: call(
        "ioctl", s.pipe, 0x5452 | 1 << 32, struct.pack("i", 1)
      ),
      "flags of a file": lambda s: call(
        "ioctl", s.opened, 0x40086602, struct.pack("Q", 0x80)
      ),
    },
  ),
  # the network
  **stopped(
    PERMISSION,
    {
      "TCP": lambda s: call("socket", 2, 1, 0),
      "UDP": lambda s: call("socket", 2, 2, 0),
      "TCP, version 6": lambda s: call("socket", 10, 1, 0),
      "raw packets": lambda s: call("socket", 2, 3, 1),
      "UNIX": lambda s: call("socket", 1, 1, 0),
      "UNIX datagrams": lambda s: call("socket", 1, 2, 0),
      "the kernel's messages": lambda s: call("socket", 16, 3, 0),
      "the kernel's ciphers": lambda s: call("socket", 38, 5, 0),
      "the host of a virtual machine": lambda s: call("socket", 40, 1, 0),
      "connect": lambda s: call(
        "connect", s.pair, struct.pack("H108s", 1, s.socket), 110
      ),
    },
  ),
  **stopped(
    DEATH,
    {
      "send to an address": lambda s: call(
        *("sendto", s.pair, b"secret", 6, 0),
        *(struct.pack("H108s", 1, s.socket), 110),
      ),
      **each(
        *("bind", "listen", "accept", "accept4", "sendmmsg", "recvmsg"),
        *("setsockopt", "shutdown"),
      ),
    },
  ),
  # other processes
  **stopped(
    PERMISSION,
    {
      "fork": lambda s: call("fork"),
      "vfork": lambda s: call("vfork"),
      "a new process": lambda s: clone(17),
      "a process in its own memory": lambda s: clone(0x4111),
      "a sibling": lambda s: clone(THREAD | 0x8000),
      "a thread that shares waiting for disks": lambda s: clone(THREAD | 0x80000000),
      "a thread by handle": lambda s: clone(THREAD | 0x1000),
      "a thread with more flags": lambda s: clone(THREAD | 1 << 40),
      "become a program": lambda s: call("execve", b"/bin/true", 0, 0),
      "become an open program": lambda s: call("execveat", HERE, b"/bin/true", 0, 0, 0),
      "kill another": lambda s: call("kill", s.other, SIGKILL),
      "ask about another": lambda s: call("kill", s.other, 0),
      "kill everybody": lambda s: call("kill", -1, 0),
      "kill its group": lambda s: call("kill", 0, 0),
      "kill a thread": lambda s: call("tkill", s.other, SIGKILL),
      "kill a thread of another": lambda s: call("tgkill", s.other, s.other, SIGKILL),
      "signal with data": lambda s: call("rt_sigqueueinfo", s.other, 15, bytes(128)),
      "signal a thread with data": lambda s: call(
        "rt_tgsigqueueinfo", s.other, s.other, 15, bytes(128)
      ),
      "hold another": lambda s: call("pidfd_open", s.other, 0),
      "read another": lambda s: call("process_vm_readv", s.other, 0, 0, 0, 0, 0),
      "compare with another": lambda s: call("kcmp", s.other, os.getpid(), 0, 0, 0),
      "measure another": lambda s: call("perf_event_open", bytes(128), s.other, -1, -1),
      "limit another": lambda s: call(
        "prlimit64", s.other, 0, struct.pack("QQ", 0, 0), 0
      ),
      "limits of another": lambda s: call("prlimit64", s.other, 0, 0, bytes(16)),
      "lift its own limits": lambda s: call(
        "prlimit64", 0, 2, struct.pack("QQ", 2**40, 2**40), 0
      ),
      "slow another": lambda s: call("setpriority", 0, s.other, 19),
      "scheduling parameters of another": lambda s: call(
        "sched_setparam", s.other, bytes(4)
      ),
      "its own cores": lambda s: call("sched_setaffinity", 0, 8, struct.pack("Q", 1)),
      "another group": lambda s: call("setpgid", 0, 0),
      "another session": lambda s: call("setsid"),
      "signals of a pipe to another": lambda s: call("fcntl", s.pipe, 8, s.other),
      "the same, to a thread": lambda s: call(
        "fcntl", s.pipe, 15, struct.pack("ii", 1, s.other)
      ),
      "which signal": lambda s: call("fcntl", s.pipe, 10, SIGKILL),
      "asynchronous signals": lambda s: call("fcntl", s.pipe, 4, 0o20000),
      "signals of a folder": lambda s: call("fcntl", s.opened, 1026, 0x80000003),
      "lease a file": lambda s: call("fcntl", s.opened, 1024, 0),
      "lock a part of a file": lambda s: call("fcntl", s.opened, 6, bytes(32)),
      "lock it by handle": lambda s: call("fcntl", s.opened, 37, bytes(32)),
      "a larger pipe": lambda s: call("fcntl", s.pipe, 1031, 2**20),
      "a pipe of notices": lambda s: call("pipe2", bytes(8), 0o200),
    },
  ),
  **stopped(
    DEATH,
    {
      "trace another": lambda s: call("ptrace", 16, s.other, 0, 0),
      "be traced": lambda s: call("ptrace", 0, 0, 0, 0),
      "write into another": lambda s: call("process_vm_writev", s.other, 0, 0, 0, 0, 0),
      "kill by handle": lambda s: call("pidfd_send_signal", s.handle, SIGKILL, 0, 0),
      "descriptors of another": lambda s: call("pidfd_getfd", s.handle, 0, 0),
      "namespaces of another": lambda s: call("setns", s.handle, 0x40000000),
      "locks of another": lambda s: call(
        "get_robust_list", s.other, bytes(8), bytes(8)
      ),
      "a user namespace": lambda s: call("unshare", 0x10000000),
      "a mount namespace": lambda s: call("unshare", 0x00020000),
      **each(
        *("process_mrelease", "ioprio_get", "semtimedop", "msgsnd", "msgrcv"),
        *("mq_timedsend", "mq_notify", "mq_getsetattr"),
      ),
    },
  ),
  # the system
  **stopped(
    DEATH,
    {
      "its name for the network": lambda s: call("sethostname", b"x", -1),
      **each(
        *("mount", "umount2", "move_mount", "open_tree", "open_tree_attr", "fsopen"),
        *("fsmount", "fsconfig", "fspick", "mount_setattr", "statmount", "listmount"),
        *("pivot_root", "chroot", "setdomainname", "bpf", "userfaultfd", "add_key"),
        *("request_key", "init_module", "finit_module", "delete_module", "kexec_load"),
        *("kexec_file_load", "reboot", "swapon", "swapoff", "settimeofday", "syslog"),
        *("clock_settime", "adjtimex", "clock_adjtime", "quotactl", "iopl", "ioperm"),
        *("modify_ldt", "fanotify_init", "inotify_add_watch"),
        *("lsm_set_self_attr", "io_uring_enter", "io_uring_register", "io_submit"),
        *("memfd_secret", "remap_file_pages", "set_mempolicy_home_node"),
        *("timer_settime", "splice", "tee", "vmsplice", "sync", "syncfs"),
      ),
    },
  ),
  **stopped(
    PERMISSION,
    {
      "another user": lambda s: call("setuid", 1),
      "its personality": lambda s: call("personality", 0xFFFFFFFF),
      **each(
        *("shmget", "semget", "msgget", "mq_open", "inotify_init", "capset", "setgid"),
        *("setresuid", "setgroups", "setfsuid", "seccomp", "getsockname", "getsockopt"),
      ),
    },
  ),
  **stopped(
    UNKNOWN,
    {
      "memory of another": lambda s: call("process_madvise", s.handle, 0, 0, 21, 0),
      "nodes of another": lambda s: call("migrate_pages", s.other, 0, 0, 0),
      "pages of another": lambda s: call("move_pages", s.other, 0, 0, 0, 0, 0),
      **each(
        *("io_uring_setup", "io_setup", "mbind", "set_mempolicy", "pkey_alloc"),
        *("timerfd_create", "signalfd4", "map_shadow_stack", "clone3", "sendfile"),
        *("copy_file_range", "keyctl", "landlock_create_ruleset"),
      ),
    },
  ),
  **stopped(
    PERMISSION,
    each("mlock", "mlock2", "mlockall", "msync", "setitimer", "timer_create"),
  ),
  **stopped(
    NO_SUCH_OPTION,
    {
      f"prctl {name}": lambda s, option=option: call("prctl", option, 1, 0, 0, 0)
      for name, option in {
        "SET_DUMPABLE": 4,
        "SET_KEEPCAPS": 8,
        "SET_SECCOMP": 22,
        "CAPBSET_DROP": 24,
        "SET_SECUREBITS": 28,
        "SET_TIMERSLACK": 29,
        "SET_MM": 35,
        "SET_CHILD_SUBREAPER": 36,
        "SET_THP_DISABLE": 41,
        "CAP_AMBIENT": 47,
        "SET_SPECULATION_CTRL": 53,
        "SET_SYSCALL_USER_DISPATCH": 59,
        "SCHED_CORE": 62,
        "SET_VMA": 0x53564D41,
        "SET_PTRACER": 0x59616D61,
      }.items()
    }
    | {
      f"madvise {name}": lambda s, advice=advice: call("madvise", 0, 0, advice)
      for name, advice in {
        "REMOVE": 9,
        "MERGEABLE": 12,
        "COLD": 20,
        "PAGEOUT": 21,
        "HWPOISON": 100,
      }.items()
    },
  ),
  **stopped(
    NO_SUCH_REQUEST,
    {
      f"ioctl {name}": lambda s, request=request: call(
        "ioctl", s.opened, request, bytes(64)
      )
      for name, request in {
        "TCSETS": 0x5402,
        "TIOCSCTTY": 0x540E,
        "TIOCSPGRP": 0x5410,
        "TIOCSTI": 0x5412,
        "TIOCLINUX": 0x541C,
        "SIOCSPGRP": 0x8902,
        "FICLONE": 0x40049409,
        "FIFREEZE": 0xC0045877,
        "FS_IOC_FSSETXATTR": 0x401C5820,
        "FS_IOC_ENABLE_VERITY": 0x40806685,
      }.items()
    },
  ),
  # files
  **stopped(
    ACCESS,
    {
      f"open {name}": lambda s, flags=flags: call("openat", HERE, s.file, flags, 0o600)
      for name, flags in {
        "to write": os.O_WRONLY,
        "to read and write": os.O_RDWR,
        "with neither right": 3,
        "to cut": os.O_TRUNC,
        "to make": os.O_CREAT,
        "to add": os.O_APPEND | os.O_WRONLY,
        "for signals": 0o20000,
      }.items()
    }
    | {
      "open the old way": lambda s: call("open", s.file, os.O_WRONLY, 0),
      "an unnamed file": lambda s: call(
        "openat", HERE, s.own, os.O_TMPFILE | os.O_RDWR, 0o600
      ),
      "its own memory": lambda s: call("openat", HERE, b"/proc/self/mem", os.O_RDWR, 0),
      "its limits' file": lambda s: call(
        "openat", HERE, b"/proc/self/oom_score_adj", os.O_WRONLY, 0
      ),
    },
  ),
  **stopped(
    UNKNOWN,
    {
      "open the new way": lambda s: call(
        "openat2", HERE, s.file, struct.pack("QQQ", 1, 0, 0), 24
      ),
      "lock a file": lambda s: call("flock", s.opened, 2),
      "labels of a file": lambda s: call("getxattr", s.file, b"user.x", 0, 0),
    },
  ),
  **stopped(
    PERMISSION,
    {
      "make a file": lambda s: call("creat", s.new, 0o600),
      "cut a file": lambda s: call("truncate", s.file, 0),
      "cut an open file": lambda s: call("ftruncate", s.errors, 0),
      "lengthen an open file": lambda s: call("fallocate", s.errors, 0, 0, 2**20),
      "write in the middle": lambda s: call("pwrite64", s.errors, b"x", 1, 0),
      "to disk": lambda s: call("fsync", s.errors),
      "rename": lambda s: call("rename", s.file, s.new),
      "rename at": lambda s: call("renameat", HERE, s.file, HERE, s.new),
      "exchange": lambda s: call("renameat2", HERE, s.file, HERE, s.own, 2),
      "make a folder": lambda s: call("mkdir", s.new, 0o700),
      "make a folder at": lambda s: call("mkdirat", HERE, s.new, 0o700),
      "remove a folder": lambda s: call("rmdir", s.own),
      "remove a file": lambda s: call("unlink", s.file),
      "remove a file at": lambda s: call("unlinkat", HERE, s.file, 0),
      "link": lambda s: call("link", s.file, s.new),
      "link at": lambda s: call("linkat", HERE, s.file, HERE, s.new, 0),
      "symbolic link": lambda s: call("symlink", b"/etc/passwd", s.new),
      "symbolic link at": lambda s: call("symlinkat", b"/etc/passwd", HERE, s.new),
      "make a pipe": lambda s: call("mknod", s.new, 0o10600, 0),
      "make a pipe at": lambda s: call("mknodat", HERE, s.new, 0o10600, 0),
      "rights": lambda s: call("chmod", s.file, 0o777),
      "rights of an open file": lambda s: call("fchmod", s.opened, 0o777),
      "rights at": lambda s: call("fchmodat", HERE, s.file, 0o777),
      "rights the new way": lambda s: call("fchmodat2", HERE, s.file, 0o777, 0),
      "owner": lambda s: call("chown", s.file, 1, 1),
      "owner of an open file": lambda s: call("fchown", s.opened, 1, 1),
      "owner at": lambda s: call("fchownat", HERE, s.file, 1, 1, 0),
      "owner of a link": lambda s: call("lchown", s.file, 1, 1),
      "times": lambda s: call("utimes", s.file, bytes(32)),
      "times at": lambda s: call("utimensat", HERE, s.file, bytes(32), 0),
      "times of an open file": lambda s: call("utimensat", s.opened, 0, bytes(32), 0),
      "label": lambda s: call("setxattr", s.file, b"user.x", b"x", 1, 0),
      "label an open one": lambda s: call("fsetxattr", s.opened, b"user.x", b"x", 1, 0),
      "take a label off": lambda s: call("removexattr", s.file, b"user.x"),
      "another folder": lambda s: call("chdir", s.own),
      "a file by handle": lambda s: call(
        "name_to_handle_at", HERE, s.file, bytes(128), bytes(4), 0
      ),
    },
  ),
  **stopped(
    DEATH,
    {
      "label at": lambda s: call(
        "setxattrat", HERE, s.file, 0, b"user.x", bytes(16), 16
      ),
      "take a label off at": lambda s: call(
        "removexattrat", HERE, s.file, 0, b"user.x"
      ),
      "open by handle": lambda s: call("open_by_handle_at", HERE, bytes(128), 0),
    },
  ),
  **stopped(
    LANDLOCK,
    {
      f"read {name}": lambda s, path=path: call("openat", HERE, path(s), 0, 0)
      for name, path in {
        "a file": lambda s: s.file,
        "a folder": lambda s: s.own,
        "the users": lambda s: b"/etc/passwd",
        "another's environment": lambda s: b"/proc/%d/environ" % s.other,
        "another's state": lambda s: b"/proc/%d/status" % s.other,
        "by a way round": lambda s: b"/proc/self/root" + s.file,
        "by two dots": lambda s: s.model + b"/../outside/file",
      }.items()
    },
  ),
  # what can be used up
  **stopped(
    NO_MEMORY,
    {
      "too much memory": lambda s: map_memory(PRIVATE | ANONYMOUS, size=2**31),
      "too much memory, made read-only": read_only_memory,
      "too many addresses": lambda s: map_memory(
        PRIVATE | ANONYMOUS | 0x4000, size=2**38, protection=0
      ),
    },
  ),
  **stopped(NO_DESCRIPTORS, {"too many descriptors": many_descriptors}),
  **stopped(TOO_LONG, {"too many messages": long_errors}),
}
WALLS = {
  "Landlock": lambda version: setattr(confinement, "version", lambda: version),
  "user namespace": lambda _: confinement._NAMESPACES.pop("user"),
  "namespaces": lambda _: setattr(confinement, "_leave_namespaces", set),
}


def main():
  settings = json.loads(sys.argv[1])
  parts = settings["scene"].items()
  parts = {k: v.encode() if isinstance(v, str) else v for k, v in parts}
  scene = types.SimpleNamespace(**parts)
  sysconfig.get_paths()  # another user may be unable to read it
  names = settings["names"]
  while names:
    reader, writer = os.pipe()
    process = os.fork()
    if not process:
      os.dup2(writer, 1)
      os.close(writer)
      os.close(reader)
      _work(names, scene, settings)
    os.close(writer)
    with os.fdopen(reader) as lines:
      told = [json.loads(line) for line in lines]
    _, status = os.waitpid(process, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
      sys.exit(f"the process failed: {told[-1:]}")
    names = names[_report(names, told, process, status) :]


def _report(names, told, process, status):
  """Prints what became of each attempt; returns how many were made."""
  record, *told = told
  tell(record=record, process=process)
  made = 0
  attempt = {}
  for line in told:
    attempt |= line
    if "result" in attempt:
      tell(name=names[made], **attempt)
      made, attempt = made + 1, {}
  if os.WIFSIGNALED(status):
    tell(name=names[made], **attempt, result=-os.WTERMSIG(status))
    made += 1
  return made


def _work(names, scene, settings):
  if settings["user"]:
    os.setgroups([])
    os.setgid(settings["user"])
    os.setuid(settings["user"])
  if settings["walls"] is None:
    tell()
  else:
    for wall, value in settings["walls"].items():
      WALLS[wall](value)
    tell(**confinement.confine(scene.model.decode(), memory_gib=1, seconds=60))
  for name in names:
    how, attempt = ATTEMPTS[name]
    try:
      attempt(scene)
    except NotImplementedError:
      tell(result="not on this machine")
    except OSError as error:
      tell(result=error.errno)
    except Exception:
      traceback.print_exc()
      os._exit(1)
    else:
      tell(result="done")
    if how.startswith("limit"):
      break  # what is used up is gone
  os._exit(0)


if __name__ == "__main__":
  main()
