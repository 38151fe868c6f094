import json
import tracemalloc

import numpy as np
import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.export.kernel_serialisation import (
  kernel_from_config,
  kernel_to_config,
)
from disentangle_tf.losses import box_kernel, gaussian_kernel

RNG = np.random.default_rng(0)


def _by_function(name, radius):
  return {"function": name, "arguments": {"radius": radius}}


TOLD = {
  "box 0": (box_kernel(0), _by_function("box_kernel", 0)),
  "box 31": (box_kernel(31), _by_function("box_kernel", 31)),
  "box 255": (box_kernel(255), _by_function("box_kernel", 255)),
  "gaussian 8": (gaussian_kernel(8), _by_function("gaussian_kernel", 8)),
  "whole numbers": (np.array([[1, 2, 3]]), {"array": [[1, 2, 3]]}),
  "two boxes": (2 * box_kernel(1), {"array": (2 * box_kernel(1)).tolist()}),
}
TOLD |= {
  f"any {rows}x{columns}": (kernel, {"array": kernel.tolist()})
  for rows, columns in ((3, 5), (127, 127), (511, 31))
  for kernel in [RNG.dirichlet(np.ones(rows * columns)).reshape(rows, columns)]
}


@pytest.mark.parametrize("name", TOLD)
def test_a_kernel_is_told_by_its_function_or_its_entries(name):
  kernel, expected = TOLD[name]
  config = kernel_to_config(kernel)
  assert config == expected
  again = kernel_from_config(json.loads(json.dumps(config)))
  np.testing.assert_allclose(again, kernel, rtol=1e-15)


def test_a_kernel_that_was_read_from_a_configuration_is_still_known():
  kernel = np.array(json.loads(json.dumps(gaussian_kernel(31).tolist())))
  assert kernel_to_config(kernel) == _by_function("gaussian_kernel", 31)
  kernel[0, 0] *= 1.001
  assert set(kernel_to_config(kernel)) == {"array"}


@pytest.mark.parametrize("shape", [(129, 129), (1, 513), (513, 513)])
def test_only_the_shape_of_a_large_kernel_is_recorded(shape):
  config = kernel_to_config(RNG.random(shape))
  assert config == {"shape": list(shape)}
  with pytest.raises(UserError, match="too large for a manifest"):
    kernel_from_config(config)


HOSTILE = {
  "nothing": None,
  "a text": "box_kernel",
  "a list": [[1.0]],
  "no key": {},
  "an unknown function": _by_function("learned_kernel", 3),
  "a function of NumPy": _by_function("numpy.ones", 3),
  "a function that is a list": {"function": ["box_kernel"], "arguments": {"radius": 1}},
  "control characters": _by_function("\x1b[2J", 3),
  "a huge radius": _by_function("box_kernel", 10**9),
  "a radius too large": _by_function("gaussian_kernel", 256),
  "a negative radius": _by_function("box_kernel", -1),
  "a fraction": _by_function("box_kernel", 1.5),
  "a truth": _by_function("box_kernel", True),
  "a text for a radius": _by_function("box_kernel", "1"),
  "no radius": {"function": "box_kernel", "arguments": {}},
  "no arguments": {"function": "box_kernel"},
  "more arguments": {"function": "box_kernel", "arguments": {"radius": 1, "x": 1}},
  "an array that is a number": {"array": 1.0},
  "an empty array": {"array": []},
  "empty rows": {"array": [[]] * 3},
  "an array of numbers": {"array": [1.0, 2.0]},
  "an array of texts": {"array": [["1"]]},
  "an array of truths": {"array": [[True]]},
  "a deep array": {"array": [[[1.0]]]},
  "rows of other lengths": {"array": [[1.0], [1.0, 2.0], [1.0]]},
  "NaN": {"array": [[float("nan")]]},
  "infinity": {"array": [[float("inf")]]},
  "a huge number": {"array": [[10**400]]},
  "a wide array": {"array": [[1.0] * 513]},
  "many rows": {"array": [[1.0]] * 10**6},
  "many entries": {"array": [[1.0] * 511] * 33},
  "a hostile shape": {"shape": "\x1b[2J" * 1_000},
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_kernel_is_refused_in_one_line(case):
  tracemalloc.start()
  try:
    with pytest.raises(UserError) as caught:
      kernel_from_config(HOSTILE[case])
    _, most = tracemalloc.get_traced_memory()
  finally:
    tracemalloc.stop()
  assert str(caught.value).isprintable() and len(str(caught.value)) < 400
  assert most < 20 * 2**20
