"""Losses and priors as JSON, and what the JSON of foreign models can build."""

import json
import tracemalloc

import keras
import numpy as np
import pytest

from disentangle_tf import losses, priors
from disentangle_tf.errors import UserError
from disentangle_tf.export.part_serialisation import (
  is_likelihood,
  kernel_from_config,
  kernel_to_config,
  likelihood_from_config,
  loss_from_config,
  loss_to_config,
  prior_from_config,
  prior_to_config,
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


IMAGES = RNG.random((2, 3, 8, 8, 2), np.float32)
ANY_KERNEL = RNG.dirichlet(np.ones(15)).reshape(5, 3)


def _learned_normal():
  loss = losses.Normal(scale=0.5)
  loss.log_scale.assign(np.log(0.2))
  return loss


def _feature_loss():
  network = keras.Sequential(
    [keras.Input((8, 8, 2)), keras.layers.Flatten(), keras.layers.Dense(2)]
  )
  return losses.FeatureLoss(losses.MSE(), network)


LOSSES = {
  "MSE": losses.MSE(),
  "MAE": losses.MAE(),
  "SigmoidMSE": losses.SigmoidMSE(),
  "Bernoulli": losses.Bernoulli(epsilon=1e-3),
  "ContinuousBernoulli": losses.ContinuousBernoulli(epsilon=0.01),
  "Normal": losses.Normal(scale=0.3, learned=False),
  "a learned Normal": _learned_normal(),
  "box": losses.Overlap(losses.MSE(), losses.box_kernel(2)),
  "Gaussian, by FFT": losses.Overlap(
    losses.MAE(), losses.gaussian_kernel(3), alpha=7, method="fft"
  ),
  "any kernel": losses.Overlap(losses.Bernoulli(), ANY_KERNEL, alpha=2.5),
  "around a learned Normal": losses.Overlap(_learned_normal(), losses.box_kernel(1)),
  "two blurs": losses.Overlap(
    losses.Overlap(losses.MSE(), losses.box_kernel(1)), losses.box_kernel(3), alpha=0.5
  ),
}


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_read_back_gives_the_same_distances(name):
  loss = LOSSES[name]
  again = loss_from_config(json.loads(json.dumps(loss_to_config(loss))))
  assert type(again) is type(loss) and again.standardised == loss.standardised
  distances = loss.distance(*IMAGES).numpy()
  np.testing.assert_allclose(again.distance(*IMAGES), distances, rtol=1e-6, atol=1e-6)
  np.testing.assert_allclose(again(*IMAGES), loss(*IMAGES), rtol=1e-6, atol=1e-6)


def test_every_loss_of_the_room_is_read_back_or_told_by_its_name_alone():
  tried = {type(loss) for loss in LOSSES.values()} | {losses.FeatureLoss}
  public = [getattr(losses, name) for name in losses.__all__]
  made = {
    each
    for each in public
    if isinstance(each, type)
    and issubclass(each, losses.ReconstructionLoss)
    and not each.__abstractmethods__
  }
  assert tried == made


def test_numbers_of_numpy_are_told_as_numbers():
  blurred = losses.Overlap(
    losses.Bernoulli(epsilon=np.float32(0.25)),
    losses.box_kernel(1),
    alpha=np.int64(3),
  )
  told = json.loads(json.dumps(loss_to_config(blurred)))["arguments"]
  assert told["alpha"] == 3 and told["loss"]["arguments"] == {"epsilon": 0.25}
  prior = prior_to_config(priors.StudentT(np.float32(2.5)))
  assert json.loads(json.dumps(prior))["arguments"] == {"degrees_of_freedom": 2.5}


def test_words_of_a_loss():
  box = losses.Overlap(losses.Bernoulli(), losses.box_kernel(7))
  assert loss_to_config(box) == {
    "class": "Overlap",
    "arguments": {
      "loss": {"class": "Bernoulli", "arguments": {"epsilon": 1e-6}},
      "kernel": {"function": "box_kernel", "arguments": {"radius": 7}},
      "alpha": None,
      "method": "auto",
    },
  }
  assert loss_to_config(losses.MSE()) == {"class": "MSE", "arguments": {}}


def test_a_loss_with_a_network_is_recorded_by_name_only():
  feature = _feature_loss()
  assert loss_to_config(feature) == {"class": "FeatureLoss", "arguments": None}
  with pytest.raises(UserError, match="FeatureLoss is not a loss that a manifest can"):
    loss_from_config(loss_to_config(feature))
  around = loss_to_config(losses.Overlap(feature, losses.box_kernel(1)))
  assert around["arguments"]["loss"] == loss_to_config(feature)
  with pytest.raises(UserError, match="^FeatureLoss is not a loss"):
    loss_from_config(around)


def test_a_foreign_class_of_the_same_name_is_not_taken_for_ours():
  class MSE(losses.MSE):
    pass

  config = loss_to_config(MSE())
  assert config["class"].endswith("test_part_serialisation.MSE")
  assert config["arguments"] is None
  with pytest.raises(UserError, match="is not a loss"):
    loss_from_config(config)


def test_a_kernel_too_large_for_a_manifest():
  kernel = RNG.random((129, 129))
  config = loss_to_config(losses.Overlap(losses.MSE(), kernel))
  assert config["arguments"]["kernel"] == {"shape": [129, 129]}
  with pytest.raises(UserError, match=r"shape \[129, 129\] is too large"):
    loss_from_config(config)


def test_losses_nested_too_deeply_are_not_described():
  loss = losses.MSE()
  for _ in range(3):
    loss = losses.Overlap(loss, losses.box_kernel(1))
  loss_from_config(loss_to_config(loss))
  config = loss_to_config(losses.Overlap(loss, losses.box_kernel(1)))
  for _ in range(4):
    config = config["arguments"]["loss"]
  assert config == {"class": "MSE", "arguments": None}


PRIORS = [
  priors.IsotropicNormal(),
  priors.StudentT(3.0),
  priors.SparseMixture(0.7),
  priors.NormalMixture([[0, 0, 0], [1, 1, 1]], variance=0.03),
  priors.AnisotropicNormal([3.0, 2.0, 1.0]),
]


@pytest.mark.parametrize("prior", PRIORS, ids=lambda prior: type(prior).__name__)
def test_a_prior_read_back_gives_the_same_densities(prior):
  codes = RNG.normal(size=(4, 3)).astype(np.float32)
  again = prior_from_config(json.loads(json.dumps(prior_to_config(prior))))
  expected = prior.log_prob(codes)
  np.testing.assert_allclose(again.log_prob(codes), expected, rtol=1e-5, atol=1e-5)


def test_a_prior_of_too_many_numbers_is_told_by_its_name_alone():
  many = priors.NormalMixture(RNG.normal(size=(3_000, 3)), variance=0.03)
  assert prior_to_config(many) == {"class": "NormalMixture", "arguments": None}
  any_of_tfp = priors.TfpPrior(priors.IsotropicNormal().distribution)
  assert prior_to_config(any_of_tfp) == {"class": "TfpPrior", "arguments": None}


def test_which_losses_are_likelihoods():
  names = ("Bernoulli", "ContinuousBernoulli", "Normal")
  assert all(map(is_likelihood, names))
  assert not any(map(is_likelihood, ("MSE", "Overlap", "FeatureLoss", "x")))
  likelihood_from_config({"class": "Bernoulli", "arguments": {}})
  with pytest.raises(UserError, match="MSE is not a known likelihood"):
    likelihood_from_config({"class": "MSE", "arguments": {}})


def _of_class(name, **arguments):
  return {"class": name, "arguments": arguments}


def _overlap(**changes):
  honest = {
    "loss": _of_class("MSE"),
    "kernel": {"function": "box_kernel", "arguments": {"radius": 1}},
  }
  return _of_class("Overlap", **honest | changes)


def _nested(depth):
  config = _of_class("MSE")
  for _ in range(depth):
    config = _overlap(loss=config)
  return config


PART_SERIALISATION_HOSTILE = {
  "no loss": None,
  "a text": "MSE",
  "a list": ["MSE"],
  "no class": {"arguments": {}},
  "a class that is a list": {"class": ["MSE"], "arguments": {}},
  "a class that is a number": {"class": 1, "arguments": {}},
  "an unknown class": _of_class("keras.models.load_model", filepath="x"),
  "control characters": _of_class("\x1b[2JMSE"),
  "a long name": _of_class("M" * 10**6),
  "a base class": _of_class("ReconstructionLoss"),
  "a network": _of_class("FeatureLoss", loss=_of_class("MSE"), network={}),
  "a divergence": _of_class("MMD"),
  "a prior": _of_class("IsotropicNormal"),
  "no arguments": {"class": "MSE"},
  "arguments in a list": {"class": "MSE", "arguments": [1]},
  "an argument too many": _of_class("MSE", alpha=1),
  "an argument's name": _of_class("MSE", **{"\x1b[2J" * 100: 1}),
  "self": _of_class("MSE", self=1),
  "an argument missing": _of_class("Overlap", loss=_of_class("MSE")),
  "a scale of 0": _of_class("Normal", scale=0.0),
  "a scale, NaN": _of_class("Normal", scale=float("nan")),
  "a scale, infinite": _of_class("Normal", scale=float("inf")),
  "a scale, huge": _of_class("Normal", scale=10**400),
  "a scale, a list": _of_class("Normal", scale=[1.0]),
  "a scale, a dictionary": _of_class("Normal", scale={"class": "x"}),
  "learned, a text": _of_class("Normal", learned="no"),
  "epsilon, a text": _of_class("Bernoulli", epsilon="\x1b[2J" * 10**5),
  "epsilon, too large": _of_class("ContinuousBernoulli", epsilon=0.6),
  "alpha, a text": _overlap(alpha="1"),
  "alpha, negative": _overlap(alpha=-1),
  "alpha, a list of lists": _overlap(alpha=[[[1]]]),
  "a method": _overlap(method="\x1b[2J"),
  "a method that is a list": _overlap(method=["fft"]),
  "not separable": _overlap(kernel={"array": np.eye(33).tolist()}, method="separable"),
  "a kernel with even sides": _overlap(kernel={"array": [[1.0, 1.0]]}),
  "a kernel of zeros": _overlap(kernel={"array": [[0.0]]}),
  "a huge kernel": _overlap(
    kernel={"function": "box_kernel", "arguments": {"radius": 10**9}}
  ),
  "an inner loss that is a text": _overlap(loss="MSE"),
  "an inner loss that is none": _overlap(loss=None),
  "an inner loss that is unknown": _overlap(loss=_of_class("FeatureLoss")),
  "5 deep": _nested(5),
  "900 deep": _nested(900),
}


@pytest.mark.parametrize("case", PART_SERIALISATION_HOSTILE)
def test_a_foreign_loss_is_refused_in_one_line(case):
  loss_from_config(_overlap())
  with pytest.raises(UserError) as caught:
    loss_from_config(PART_SERIALISATION_HOSTILE[case])
  assert str(caught.value).isprintable() and len(str(caught.value)) < 400


@pytest.mark.parametrize(
  "config",
  [
    _of_class("TfpPrior", distribution={"class": "Normal", "parameters": {}}),
    _of_class("AnisotropicNormal", scales=[1.0] * 10**5),
    _of_class("AnisotropicNormal", scales=["x"]),
    _of_class("AnisotropicNormal", scales=[[[1.0]]]),
    _of_class("NormalMixture", means=[[1.0] * 10**4] * 10, variance=1.0),
    _of_class("NormalMixture", means=[[1.0], [1.0, 2.0]], variance=1.0),
    _of_class("SparseMixture", gamma=2.0),
    _of_class("MSE"),
  ],
)
def test_a_foreign_prior_is_refused_in_one_line(config):
  with pytest.raises(UserError) as caught:
    prior_from_config(config)
  assert str(caught.value).isprintable() and len(str(caught.value)) < 400
