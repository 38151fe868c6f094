import pytest
from made_up_offers import (
  NHWC,
  X,
  choose,
  codes,
  function,
  offer,
  refuse,
  tensor,
  vector,
)

from disentangle_tf.foreign.scan.verdict import Tensor


@pytest.mark.parametrize(
  ("mean", "spread", "role"),
  [
    ("mean", "log_variance", "log_variance"),
    ("mean", "logvar", "log_variance"),
    ("mu", "log_var", "log_variance"),
    ("z_mean", "z_log_var", "log_variance"),
    ("z_mean", "log_sigma_sq", "log_variance"),
    ("mu", "log_sigma2", "log_variance"),
    ("loc", "scale", "scale"),
    ("loc", "log_scale", "log_scale"),
    ("zMu", "zSigma", "scale"),
    ("mean", "std", "scale"),
    ("mean", "stddev", "scale"),
    ("mean", "sd", "scale"),
    ("mu", "sigma", "scale"),
    ("mu", "log_std", "log_scale"),
    ("mean", "variance", "variance"),
    ("z_mean/BiasAdd:0", "z_log_var/BiasAdd:0", "log_variance"),
    ("encoder/mu:0", "encoder/logvar:0", "log_variance"),
    ("variational_mean", "variational_logvar", "log_variance"),
    ("z", "logvar", "log_variance"),
  ],
)
@pytest.mark.parametrize("turned", [False, True], ids=["in order", "turned"])
def test_names_of_outputs(mean, spread, role, turned):
  names = (spread, mean) if turned else (mean, spread)
  interface = choose(offer(outputs=codes(*names)))
  assert interface.encode.outputs == (mean, spread)
  assert interface.spread == role
  assert not interface.remarks


def test_a_sample_beside_the_mean():
  interface = choose(offer(outputs=codes("z", "z_log_var", "z_mean")))
  assert interface.encode.outputs == ("z_mean", "z_log_var")


@pytest.mark.parametrize("name", ["output_0", "embedding", "scale", "45"])
def test_a_single_output_is_the_mean(name):
  interface = choose(offer(outputs=codes(name)))
  assert interface.encode.outputs == (name,)
  assert interface.spread is None


@pytest.mark.parametrize(
  "names",
  [
    ("output_1", "output_0"),
    ("47", "45"),
    ("out10", "out9"),
    ("b:1", "b:0"),
    ("getitem_1", "getitem"),
    ("dense_1/BiasAdd:0", "dense/BiasAdd:0"),
    ("9" * 900, "1"),
  ],
)
def test_numbered_outputs(names):
  interface = choose(offer(outputs=codes(*names)))
  assert interface.encode.outputs == (names[1],)
  assert interface.spread is None
  remark = interface.remarks[0]
  assert remark.startswith(f"{names[1]} used as the mean, {names[0][:190]}")
  assert "not used: say what they are with output_key" in remark


@pytest.mark.parametrize(
  "names", [("a", "b"), ("mean_a", "mean_b"), ("a", "b", "logvar")]
)
def test_names_that_tell_nothing(names):
  assert refuse(
    offer(outputs=codes(*names)), match="several outputs may be the mean.*output_key"
  )


def test_only_vectors_are_codes():
  pictures = Tensor("mean", "float32", NHWC)
  labels = Tensor("mu", "int64", (None, 5))
  interface = choose(offer(outputs=(pictures, labels, *codes("h"))))
  assert interface.encode.outputs == ("h",)
  refuse(offer(outputs=(pictures, labels)), match="gives no vector of codes")


@pytest.mark.parametrize("role", ["log_variance", "variance", "scale", "log_scale"])
def test_both_halves_of_one_output(role):
  one = function("encode", X, vector("h", 10))
  decode = function("decode", [vector("z", 5)], tensor("px", NHWC))
  interface = choose(one, decode, output_key=(f"mean+{role}=h",))
  assert interface.encode.outputs == ("h",) and interface.spread == role
  assert interface.decode is not None
  assert f"mean and {role} from the halves of h" in interface.describe()
  assert not interface.doubts


@pytest.mark.parametrize("name", ["mu_logvar", "mean_and_std", "posterior_params"])
def test_a_doubt_if_the_name_says_both(name):
  (doubt,) = choose(function("encode", X, vector(name, 10))).doubts
  assert f"output_key mean+log_variance={name}" in doubt
  assert not choose(function("encode", X, vector(name, 5))).doubts
  for plain in ("z_mean", "posterior_mean", "gaussian_mu", "state", "codes"):
    assert not choose(function("encode", X, vector(plain, 10))).doubts
