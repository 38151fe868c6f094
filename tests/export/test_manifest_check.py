import pytest

from disentangle_tf.export.manifest_check import (
  check_manifest,
  count_numbers,
  is_number,
)


def _of_class(name, **arguments):
  return {"class": name, "arguments": arguments}


MODEL = _of_class(
  "BetaVAE",
  beta=0.5,
  reconstruction=_of_class("Overlap", loss=_of_class("MSE"), alpha=None),
  prior=_of_class("IsotropicNormal"),
  standardisation=[[0.5], [0.1]],
)
HONEST = {
  "contract_version": 2,
  "data": _of_class("XYSquares", image_size=8) | {"name": "xysquares"},
  "factor_names": ["x_R"],
  "latents": 3,
  "model": MODEL,
  "seed": 0,
  "step": 7,
  "config": "x = 1",
  "hyper_parameters": {"BETA": 0.5},
  "versions": {"keras": "3"},
  "sha256": {"saved_model.pb": "0" * 64},
}
OF_VERSION_1 = {"likelihood": _of_class("Normal"), "prior": None}


def _told(**parts):
  return _of_class("BetaVAE", **parts)


def _deep(levels):
  value = []
  for _ in range(levels - 1):
    value = [value]
  return value


WRONG = {
  "contract_version": ["1", 1.0, True, -1, None, 2**63],
  "data": [None, [], {"arguments": {}}, _of_class("X") | {"name": 1}, {"class": 1}],
  "factor_names": ["x", [1], ["x" * 1_001], [""] * 10_001],
  "latents": [-1, 3.5, [3], None],
  "model": [
    "BetaVAE",
    ["BetaVAE"],
    {},
    {"class": 5},
    {"class": "x" * 1_001},
    {"class": "BetaVAE", "arguments": "beta"},
    {"class": "BetaVAE", "arguments": {"x" * 1_001: 1}},
    _told(reconstruction="MSE"),
    _told(reconstruction=["MSE"]),
    _told(reconstruction={"class": None, "arguments": {}}),
    _told(reconstruction={"class": "MSE", "arguments": [1]}),
    _told(prior="IsotropicNormal"),
    _told(prior=_of_class("AnisotropicNormal", scales=[1.0] * 2**16)),
    _told(reconstruction=_of_class("Overlap", kernel={"array": [[1.0] * 300] * 300})),
    _told(anything=[[1.0] * 300] * 300),
  ],
  "generative_model": [
    [1],
    "x",
    OF_VERSION_1 | {"likelihood": "Normal"},
    OF_VERSION_1 | {"prior": _of_class("AnisotropicNormal", scales=[1.0] * 2**16)},
  ],
  "seed": ["x", -1, 0.5],
  "step": [[1], "7", 10**30, None, True],
  "config": [5, None],
  "hyper_parameters": [[1], {"x" * 1_001: 1}],
  "versions": [{"keras": 3}, []],
  "sha256": [{"a": 1}, {"a": "0" * 63}, {"a": "G" * 64}, ["a"]],
}


def test_an_honest_manifest_passes():
  check_manifest(HONEST)
  check_manifest(HONEST | {"contract_version": 1, "generative_model": OF_VERSION_1})
  check_manifest(HONEST | {"model": None, "generative_model": None})
  check_manifest(HONEST | {"model": {"class": "mine.Model", "arguments": None}})
  check_manifest(HONEST | {"model": {"class": "mine.Model"}})


@pytest.mark.parametrize(
  ("field", "number"),
  [(field, number) for field, values in WRONG.items() for number in range(len(values))],
)
def test_the_wrong_field_is_named(field, number):
  with pytest.raises(ValueError, match=f"its {field} is not as an export writes it"):
    check_manifest(HONEST | {field: WRONG[field][number]})


def test_every_field_is_checked():
  assert set(WRONG) == {*HONEST, "generative_model"}


@pytest.mark.parametrize("levels", [20, 1_000])
def test_a_deep_manifest_is_refused(levels):
  check_manifest(HONEST | {"notes": _deep(19)})
  with pytest.raises(ValueError, match="more than 20 levels deep"):
    check_manifest(HONEST | {"notes": _deep(levels)})


def test_what_is_a_number_to_compute_with():
  assert all(map(is_number, [0, -1, 0.5, 1e30]))
  nan, infinity = float("nan"), float("inf")
  assert not any(map(is_number, [nan, infinity, -infinity, 10**400, 1e31]))
  assert not any(map(is_number, [True, None, "1", [1], {}]))


def test_numbers_are_counted_at_all_depths():
  assert count_numbers(5) == count_numbers("text") == count_numbers(None) == 1
  assert count_numbers([]) == count_numbers({}) == 0
  assert count_numbers({"a": [1, [2, 3]], "b": {"c": 4}}) == 4
