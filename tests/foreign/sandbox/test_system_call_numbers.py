import pathlib
import re

import pytest
from forbidden_attempts import UNNAMED

from disentangle_tf.foreign.sandbox.system_call_numbers import NUMBERS

MACHINES = ("x86_64", "aarch64")
HEADERS = {
  "x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
  "aarch64": "/usr/include/asm-generic/unistd.h",
}


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_are_the_kernels(machine):
  path = pathlib.Path(HEADERS[machine])
  if not path.exists():
    pytest.skip("the kernel's headers are not installed")
  lines = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)$", path.read_text(), re.M)
  kernels = {name: int(number) for name, number in lines}
  if "fstatat" in kernels:
    kernels["newfstatat"] = kernels["fstatat"]
  column = MACHINES.index(machine)
  ours = {name: row[column] for name, row in (NUMBERS | UNNAMED).items()}
  known = {name: number for name, number in ours.items() if name in kernels}
  assert known == {name: kernels[name] for name in known}
  absent = {name for name, number in ours.items() if number is None}
  assert not absent & set(kernels)
  assert len(known) > 250
