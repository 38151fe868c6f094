import dataclasses

import pytest
from shared_checks import tiny_data

from disentangle_tf import data
from disentangle_tf.errors import UserError
from disentangle_tf.scoring import protocols
from disentangle_tf.training import Computing, Sampling, Saving, Scoring, Watching


def test_by_default_a_batch_is_single_images_without_labels():
  sampling = Sampling()
  assert sampling.draw is data.draw_single
  assert sampling.label_of is None and sampling.labelled_set is None


def test_is_printable_comparable_and_fixed():
  pairs = Sampling(draw=data.draw_pairs, label_of=data.changed_factors)
  assert pairs == Sampling(data.draw_pairs, data.changed_factors) != Sampling()
  assert "draw_pairs" in repr(pairs)
  with pytest.raises(dataclasses.FrozenInstanceError):
    pairs.draw = data.draw_single


def test_takes_a_labelled_set():
  labelled = data.LabelledSet(tiny_data(), num_labelled=4)
  assert Sampling(labelled_set=labelled).labelled_set is labelled


@pytest.mark.parametrize(
  ("options", "message"),
  [
    ({"draw": "pairs"}, r"^Sampling\.draw is 'pairs': it must be a sampler such as"),
    ({"draw": None}, r"^Sampling\.draw is None"),
    (
      {"label_of": 3},
      r"^Sampling\.label_of is 3: it must be a function of the factors",
    ),
    ({"labelled_set": 100}, r"^Sampling\.labelled_set is 100: .* data\.LabelledSet"),
  ],
)
def test_wrong_values_are_named(options, message):
  with pytest.raises(UserError, match=message):
    Sampling(**options)


def test_by_default_devices_and_xla_are_left_open():
  assert Computing() == Computing(None, None, "float32", False, True)


def test_computing_is_printable_comparable_and_fixed(two_replicas):
  computing = Computing(strategy=two_replicas, jit_compile=False)
  assert computing == Computing(strategy=two_replicas, jit_compile=False)
  assert computing != Computing(jit_compile=False)
  assert "jit_compile=False, precision='float32'" in repr(computing)
  with pytest.raises(dataclasses.FrozenInstanceError):
    computing.precision = "mixed_float16"


@pytest.mark.parametrize("precision", ["float32", "mixed_float16", "mixed_bfloat16"])
def test_number_formats(precision):
  assert Computing(precision=precision).precision == precision


@pytest.mark.parametrize("precision", ["half", "float8", None, 16])
def test_an_unknown_precision(precision):
  with pytest.raises(UserError, match=r"^Computing\.precision is .*'float32', "):
    Computing(precision=precision)


@pytest.mark.parametrize("name", ["deterministic", "jit_compile", "tensor_float_32"])
def test_a_text_is_no_truth_value(name):
  with pytest.raises(
    UserError, match=rf"^Computing\.{name} is 'no': it must be True or"
  ):
    Computing(**{name: "no"})


def test_a_strategy_is_one_of_tensorflow():
  with pytest.raises(UserError, match=r"^Computing\.strategy is 'gpu': .*Strategy"):
    Computing(strategy="gpu")


def test_watching_is_printable_comparable_and_fixed():
  watching = Watching(log_every=5)
  assert watching == Watching(5, 1000) != Watching()
  assert repr(watching) == (
    "Watching(log_every=5, pictures_every=1000, distances=False, trace_graph=False, "
    "profile=False)"
  )
  with pytest.raises(dataclasses.FrozenInstanceError):
    watching.log_every = 6


@pytest.mark.parametrize("name", ["log_every", "pictures_every"])
@pytest.mark.parametrize("value", [0, -3, 1.5, "ten"])
def test_counts_must_be_counts(name, value):
  with pytest.raises(UserError, match=rf"^Watching\.{name} is {value!r}: it must be"):
    Watching(**{name: value})


@pytest.mark.parametrize("name", ["distances", "trace_graph", "profile"])
def test_watching_a_text_is_no_truth_value(name):
  with pytest.raises(
    UserError, match=rf"^Watching\.{name} is 'no': it must be True or"
  ):
    Watching(**{name: "no"})


def test_saving_is_printable_comparable_and_fixed():
  saving = Saving(checkpoint_every=20)
  assert saving == Saving(20, 3) != Saving()
  assert repr(saving) == "Saving(checkpoint_every=20, keep_checkpoints=3)"
  with pytest.raises(dataclasses.FrozenInstanceError):
    saving.keep_checkpoints = 1


@pytest.mark.parametrize("name", ["checkpoint_every", "keep_checkpoints"])
@pytest.mark.parametrize("value", [0, -3, 1.5, "ten"])
def test_saving_counts_must_be_counts(name, value):
  with pytest.raises(UserError, match=rf"^Saving\.{name} is {value!r}: it must be"):
    Saving(**{name: value})


MICHLO = protocols.MICHLO_DURING_TRAINING


def _names(measurements):
  return [measurement.name for measurement in measurements]


def test_nothing_is_scored_by_default():
  assert Scoring().due(1000) == [] and Scoring().periods == []


def test_each_measurement_has_its_own_time():
  """Michlo et al.: MIG every 2,400 steps, DCI every 7,200."""
  scoring = Scoring(MICHLO, every={"mig": 2400, "dci": 7200})
  assert scoring.periods == [2400, 7200]
  assert _names(scoring.due(2400)) == _names(scoring.due(4800)) == ["mig"]
  assert _names(scoring.due(7200)) == ["mig", "dci"]
  assert scoring.due(2401) == []


def test_or_all_have_the_same():
  scoring = Scoring(MICHLO, every=10)
  assert _names(scoring.due(20)) == ["mig", "dci"] and scoring.due(15) == []


@pytest.mark.parametrize(
  ("arguments", "words"),
  [
    ({"measurements": ["mig"]}, r"^Scoring\.measurements is \['mig'\]: it must be a"),
    ({"measurements": MICHLO, "every": 0}, r"^Scoring\.every is 0: it must be"),
    (
      {"measurements": MICHLO, "every": {"mig": 5, "dcu": 5}},
      "every names 'dcu', which is not measured; did you mean 'dci'",
    ),
    (
      {"measurements": MICHLO, "every": {"mig": 5}},
      "has no number of steps for 'dci'",
    ),
    (
      {"measurements": MICHLO, "every": {"mig": 5, "dci": 1.5}},
      r"every\['dci'\] is 1.5: it must be",
    ),
  ],
)
def test_what_cannot_be(arguments, words):
  with pytest.raises(UserError, match=words):
    Scoring(**arguments)
