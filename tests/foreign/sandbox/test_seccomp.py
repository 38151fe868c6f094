"""The filters of both machines, evaluated without confining a process."""

import struct

import pytest
from filter_machine import verdict

from disentangle_tf.foreign.sandbox import seccomp
from disentangle_tf.foreign.sandbox.system_call_numbers import NUMBERS

MACHINES = ("x86_64", "aarch64")
PROCESS = 4321


@pytest.mark.parametrize("machine", MACHINES)
def test_what_the_kernel_takes(machine):
  steps = seccomp.program(machine, PROCESS)
  assert len(steps) < 4096
  for position, step in enumerate(steps):
    code, then, otherwise, _ = struct.unpack("HBBI", step)
    if code in (0x15, 0x45):
      assert position + 1 + max(then, otherwise) < len(steps)


@pytest.mark.parametrize("machine", MACHINES)
def test_unknown_calls_end_the_process(machine):
  column = MACHINES.index(machine)
  known = {row[column] for row in NUMBERS.values()}
  steps = seccomp.program(machine, PROCESS)
  for number in {*range(2000), -1, 2**31, 0x40000000, 0x40000027} - known:
    assert verdict(steps, machine, number) == "kill"
  other = MACHINES[1 - column]
  assert {verdict(steps, other, number) for number in range(500)} == {"kill"}
