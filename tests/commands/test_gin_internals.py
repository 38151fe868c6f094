"""What gin's private names must be; if one fails, gin has changed: see the module."""

import gin
import pytest

from disentangle_tf import data, metrics, perceived
from disentangle_tf.commands import gin_internals

SPACE = "from __gin__ import dynamic_registration\nfrom disentangle_tf import data\n"


@pytest.fixture(autouse=True)
def empty():
  gin.clear_config(clear_constants=True)
  yield
  gin.clear_config(clear_constants=True)


def test_bound_is_the_dictionary_that_gin_reads():
  gin.parse_config(SPACE + "data.XYSquares.image_size = 8\n")
  key = ("", gin_internals.selector_of(data.XYSquares))
  assert gin_internals.bound()[key] == {"image_size": 8}
  gin_internals.bound()[key]["image_size"] = 16
  assert gin.query_parameter("data.XYSquares.image_size") == 16
  gin_internals.bound().clear()
  with pytest.raises(ValueError, match="no bound parameters"):
    gin.query_parameter("data.XYSquares.image_size")


def test_operative_is_what_gin_called_with():
  gin.parse_config(SPACE + "wide/data.XYSquares.image_size = 8\n")
  selector = gin_internals.selector_of(data.XYSquares)
  assert ("wide", selector) not in gin_internals.operative()
  with gin.config_scope("wide"):
    gin.get_configurable(data.XYSquares)(square_size=2, grid_spacing=2)
  assert gin_internals.operative()["wide", selector]["image_size"] == 8


def test_imports_are_the_statements_of_all_files():
  gin.parse_config(SPACE + "import keras\n")
  gin.parse_config("from __gin__ import dynamic_registration\nimport numpy as np\n")
  assert gin_internals.imports() == {
    "from __gin__ import dynamic_registration",
    "from disentangle_tf import data",
    "import keras",
    "import numpy as np",
  }


def test_a_selector_is_found_with_and_without_gins_wrapper():
  gin.parse_config(SPACE + "data.XYSquares.image_size = 8\n")
  name = gin_internals.selector_of(data.XYSquares)
  assert name == "disentangle_tf.data.XYSquares"
  gin.parse_config(
    "from __gin__ import dynamic_registration\nfrom disentangle_tf import metrics\n"
    "metrics.mig.num_bins = 20\n"
  )
  for function in (metrics.mig, gin.get_configurable(metrics.mig)):
    assert gin_internals.selector_of(function) == "disentangle_tf.metrics.mig"
  assert gin_internals.selector_of(test_imports_are_the_statements_of_all_files) is None
  assert gin_internals.selectors_matching("XYSquares") == [name]
  assert gin_internals.selectors_matching("XYCircles") == []


@pytest.mark.parametrize("once", [True, False])
def test_what_is_built_once_is_one_object(once):
  gin.parse_config(
    SPACE + "from disentangle_tf import perceived\nDATA = @data.XYSquares()\n"
    "perceived.perceive:\n  data = %DATA\n  others = %DATA\n"
  )
  if once:
    gin_internals.build_once(gin.query_parameter("DATA/gin.macro.value"))
  found = gin.get_bindings(perceived.perceive)
  assert isinstance(found["data"], data.XYSquares)
  assert (found["data"] is found["others"]) == once
