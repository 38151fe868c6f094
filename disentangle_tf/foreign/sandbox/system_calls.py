"""The system calls that a process needs in order to compute.

`seccomp` enforces the lists; a call in none of them ends the process. This module
imports only the standard library, because it runs before any other import.
"""

from __future__ import annotations

import errno
import os
from typing import NamedTuple

# None of these has an effect outside the process. They are the recorded calls of
# TensorFlow, onnxruntime, Keras and h5py, and their older and newer equivalents in
# other C libraries and kernels.
ALLOWED = {
  "files that are open": (
    "read readv pread64 preadv preadv2 write writev lseek close close_range "
    "dup dup2 dup3 fstat fstatfs getdents getdents64"
  ),
  "what a path leads to": (
    "stat lstat newfstatat statx statfs access faccessat faccessat2 "
    "readlink readlinkat getcwd"
  ),
  "waiting": (
    "poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait "
    "epoll_pwait epoll_pwait2 eventfd eventfd2 pipe nanosleep clock_nanosleep pause"
  ),
  "memory": "brk munmap mprotect mremap membarrier mseal",
  "threads": (
    "futex futex_waitv futex_wake futex_wait futex_requeue set_robust_list rseq "
    "set_tid_address gettid sched_yield getcpu exit exit_group restart_syscall"
  ),
  # Of any thread, because the numbers of its own threads are unknown beforehand.
  "how threads are scheduled": (
    "sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max "
    "sched_get_priority_min"
  ),
  "its own signals": (
    "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend "
    "rt_sigtimedwait sigaltstack"
  ),
  # The kernel inserts these into a program whose functions are being traced.
  "probes": "uprobe uretprobe",
  "time and chance": (
    "clock_gettime clock_getres gettimeofday time times getrusage getitimer getrandom"
  ),
  "itself": (
    "uname sysinfo getpid getppid getuid geteuid getgid getegid getresuid getresgid "
    "getgroups getpgrp capget getrlimit umask"
  ),
}

# Libraries try these and continue without them: the error is one that they expect.
REFUSED = {
  errno.EPERM: {
    "other machines and programs": (
      "socket socketpair connect getsockname getpeername getsockopt shmget semget "
      "msgget mq_open"
    ),
    "new programs": "fork vfork execve execveat wait4 waitid",
    "other processes": (
      "tkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open process_vm_readv kcmp "
      "getpgid getsid setsid setpgid getpriority setpriority setrlimit sched_getattr "
      "sched_setaffinity sched_setattr sched_setparam sched_setscheduler "
      "sched_rr_get_interval perf_event_open"
    ),
    "other rights": (
      "setuid setgid setreuid setregid setresuid setresgid setgroups setfsuid "
      "setfsgid capset personality seccomp"
    ),
    "files": (
      "creat truncate ftruncate fallocate pwrite64 pwritev pwritev2 fsync fdatasync "
      "sync_file_range rename renameat renameat2 mkdir mkdirat rmdir unlink unlinkat "
      "link linkat symlink symlinkat mknod mknodat chmod fchmod fchmodat fchmodat2 "
      "chown fchown lchown fchownat utime utimes futimesat utimensat setxattr "
      "lsetxattr fsetxattr removexattr lremovexattr fremovexattr chdir fchdir "
      "inotify_init inotify_init1 name_to_handle_at"
    ),
    "memory that stays": "mlock mlock2 munlock mlockall munlockall mincore msync",
    "clocks that ring": "setitimer alarm timer_create",
  },
  errno.ENOSYS: {
    "newer than some kernels": (
      "clone3 openat2 io_uring_setup memfd_create copy_file_range map_shadow_stack "
      "pkey_alloc pkey_free pkey_mprotect process_madvise landlock_create_ruleset"
    ),
    "not in every kernel": (
      "mbind get_mempolicy set_mempolicy migrate_pages move_pages flock sendfile "
      "io_setup signalfd signalfd4 timerfd_create keyctl fadvise64 readahead getxattr "
      "lgetxattr fgetxattr listxattr llistxattr flistxattr"
    ),
  },
}


class Only(NamedTuple):
  """Only these bits may be set; the kernel reads all 64 bits of a `wide` argument."""

  position: int
  bits: int
  wide: bool = False


class Has(NamedTuple):
  """At least one of these bits must be set."""

  position: int
  bits: int


class OneOf(NamedTuple):
  """The argument must have one of these values."""

  position: int
  values: tuple[int, ...]


Test = Only | Has | OneOf


# x86-64 and ARM64 give these four bits to O_DIRECT, O_DIRECTORY, O_LARGEFILE and
# O_NOFOLLOW in another order.
_HOW_TO_READ = 0o740000 | os.O_NONBLOCK
_READ_ONLY = _HOW_TO_READ | os.O_CLOEXEC | os.O_NOCTTY | 0o10000000  # O_PATH

_PROT_READ, _PROT_EXEC = 1, 4
_MAP_SHARED, _MAP_PRIVATE, _MAP_DROPPABLE = 1, 2, 8
_MAP_FIXED, _MAP_ANONYMOUS = 0x10, 0x20
# MAP_32BIT, DENYWRITE, EXECUTABLE, NORESERVE, POPULATE, NONBLOCK, STACK,
# FIXED_NOREPLACE: none makes memory that no limit counts, as MAP_GROWSDOWN does.
_MAP_HARMLESS = 0x40 | 0x800 | 0x1000 | 0x4000 | 0x8000 | 0x10000 | 0x20000 | 0x100000
_MAP_OWN = _MAP_PRIVATE | _MAP_DROPPABLE | _MAP_FIXED | _MAP_ANONYMOUS | _MAP_HARMLESS
_MAP_FILE_TO_READ = _MAP_SHARED | _MAP_PRIVATE | _MAP_FIXED | _MAP_HARMLESS

# VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, SETTLS, PARENT_SETTID, CHILD_CLEARTID,
# DETACHED, CHILD_SETTID: what C libraries start threads with. No namespaces.
_CLONE_THREAD = 0x10000
_CLONE_OF_THREADS = 0xF00 | _CLONE_THREAD | 0x40000 | 0x80000 | 0x700000 | 0x1000000

# Not REMOVE, MERGEABLE, HWPOISON, SOFT_OFFLINE, COLD and PAGEOUT: they reach into
# pages that other processes share.
_ADVICE = (*range(5), 8, 10, 11, *range(14, 20), 22, 23, 24, 25, 102, 103)

# F_DUPFD, GETFD, SETFD, GETFL; DUPFD_QUERY, DUPFD_CLOEXEC, GETPIPE_SZ
_FCNTL, _F_SETFL = (0, 1, 2, 3, 1027, 1030, 1032), 4
# TCGETS, TCGETS2, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
_IOCTL = (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# GET_DUMPABLE, SET_NAME, GET_NAME, GET_SECCOMP, CAPBSET_READ, GET_TIMERSLACK,
# GET_NO_NEW_PRIVS, GET_TID_ADDRESS, GET_THP_DISABLE, SVE_GET_VL,
# GET_TAGGED_ADDR_CTRL, SME_GET_VL, GET_AUXV
_PRCTL = (3, 15, 16, 21, 23, 30, 39, 40, 42, 51, 56, 64, 0x41555856)
# GET_FS, GET_XCOMP_SUPP, GET_XCOMP_PERM and REQ_XCOMP_PERM (for AMX), and of shadow
# stacks DISABLE (for a library without them) and STATUS
_ARCH_PRCTL = (0x1003, 0x1021, 0x1022, 0x1023, 0x5002, 0x5005)


def checked(process: int) -> dict[str, tuple[int, *tuple[list[Test], ...]]]:
  """The calls that are allowed with certain arguments only.

  Args:
    process: the process's number.

  Returns:
    {name: (errno otherwise, *alternatives)}; all conditions of one of the alternatives
    must hold.
  """
  own = (process,)
  return {
    "mmap": (
      errno.EPERM,
      [Only(3, _MAP_OWN, wide=True)],
      [
        Only(3, _MAP_FILE_TO_READ, wide=True),
        Only(2, _PROT_READ | _PROT_EXEC, wide=True),
      ],
    ),
    "madvise": (errno.EINVAL, [OneOf(2, _ADVICE)]),
    "clone": (
      errno.EPERM,
      [Only(0, _CLONE_OF_THREADS, wide=True), Has(0, _CLONE_THREAD)],
    ),
    "open": (errno.EACCES, [Only(1, _READ_ONLY)]),
    "openat": (errno.EACCES, [Only(2, _READ_ONLY)]),
    "pipe2": (errno.EPERM, [Only(1, os.O_CLOEXEC | os.O_NONBLOCK)]),
    "fcntl": (
      errno.EPERM,
      [OneOf(1, _FCNTL)],
      [OneOf(1, (_F_SETFL,)), Only(2, _HOW_TO_READ | os.O_APPEND)],
    ),
    "ioctl": (errno.ENOTTY, [OneOf(1, _IOCTL)]),
    "prctl": (errno.EINVAL, [OneOf(0, _PRCTL)]),
    "arch_prctl": (errno.EINVAL, [OneOf(0, _ARCH_PRCTL)]),
    "prlimit64": (errno.EPERM, [OneOf(0, (0, *own)), Only(2, 0, wide=True)]),
    "kill": (errno.EPERM, [OneOf(0, own)]),
    "tgkill": (errno.EPERM, [OneOf(0, own)]),
  }
