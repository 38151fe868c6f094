"""The kernel's machine for seccomp filters: asks one without being subject to it."""

import struct

_MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06


def verdict(steps, machine, number, *arguments):
  """What a filter returns for a system call: "allow", "kill" or an errno."""
  arguments = [value % 2**64 for value in arguments] + [0] * (6 - len(arguments))
  data = struct.pack("=IIQ6Q", number % 2**32, _MACHINES[machine], 0, *arguments)
  position = 0
  while True:
    code, then, otherwise, value = struct.unpack("HBBI", steps[position])
    position += 1
    if code == _LOAD:
      (held,) = struct.unpack_from("=I", data, value)
    elif code == _EQUAL:
      position += then if held == value else otherwise
    elif code == _ANY_BIT:
      position += then if held & value else otherwise
    elif code == _RETURN:
      break
    else:
      raise ValueError(f"unknown instruction {code:#x}")
  if value >> 16 == 5:
    return value & 0xFFFF
  return {0x7FFF0000: "allow", 0x80000000: "kill"}[value]
