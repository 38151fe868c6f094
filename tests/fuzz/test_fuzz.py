import pathlib

import pytest
from fuzz import fuzz
from readers import READERS

from disentangle_tf.errors import UserError

FOUND = sorted((pathlib.Path(__file__).parent / "found").glob("*-*"))


@pytest.mark.parametrize("name", READERS)
def test_damaged_files_cost_a_line(name, request):
  found, outcomes = fuzz(name, request.config.getoption("--fuzz"))
  assert found == []
  assert outcomes["error"]  # they are damaged


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.name)
def test_what_was_found_once(path):
  with pytest.raises(UserError):
    READERS[path.name.partition("-")[2]](path)
