import dataclasses
import json

import numpy as np
import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.choose.call import Call
from disentangle_tf.foreign.choose.choose_interface import choose_interface
from disentangle_tf.foreign.choose.reading import Reading
from disentangle_tf.foreign.look.offer import Offer, Tensor

SHAPE = (8, 6, 3)
NHWC, NCHW, FLAT = (None, 8, 6, 3), (None, 3, 8, 6), (None, 144)


def image(shape=NHWC, dtype="float32", name="x"):
  return Tensor(name, dtype, shape)


def codes(*names, shape=(None, 5)):
  return tuple(Tensor(name, "float32", shape) for name in names)


def offer(*inputs, name="serving_default", outputs=None):
  return Offer(name, inputs or (image(),), outputs or codes("mean"))


def choose(*offers, shape=SHAPE, channels_first=False, **forced):
  return choose_interface(
    offers, shape, Reading(**forced), channels_first=channels_first
  )


def refuse(*offers, match, **options):
  """The error, which lists what the model offers."""
  with pytest.raises(UserError, match=match) as caught:
    choose(*offers, **options)
  for one in offers:
    if str(one) not in str(caught.value):
      return None
  return str(caught.value)


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
  assert remark.startswith(f"{names[1]} taken for the mean, {names[0][:190]}")
  assert "not used: say what they are with --output_key" in remark


@pytest.mark.parametrize(
  "names", [("a", "b"), ("mean_a", "mean_b"), ("a", "b", "logvar")]
)
def test_names_that_tell_nothing(names):
  assert refuse(
    offer(outputs=codes(*names)), match="several outputs may be the mean.*--output_key"
  )


def test_only_vectors_are_codes():
  pictures = Tensor("mean", "float32", NHWC)
  labels = Tensor("mu", "int64", (None, 5))
  interface = choose(offer(outputs=(pictures, labels, *codes("h"))))
  assert interface.encode.outputs == ("h",)
  refuse(offer(outputs=(pictures, labels)), match="gives no vector of codes")


@pytest.mark.parametrize(
  "shape", [(None, 1, 1, 5), (None, 5, 1, 1), None, (None, None)]
)
def test_shapes_that_are_vectors(shape):
  assert choose(offer(outputs=codes("mean", shape=shape))).encode.outputs == ("mean",)


@pytest.mark.parametrize(
  ("values", "role"),
  [(0.25, "variance"), (0.5, "scale"), (np.log(0.5), "log_scale")],
)
def test_spreads_become_log_variances(values, role):
  outputs = codes("m", "s")
  interface = choose(offer(outputs=outputs), output_key=("m", f"{role}=s"))
  found = interface.log_variances(np.array([values], np.float32))
  np.testing.assert_allclose(found, np.log(0.25), rtol=1e-6)


def test_a_spread_of_zero_is_finite():
  interface = choose(offer(outputs=codes("mu", "sigma")))
  assert np.isfinite(interface.log_variances(np.zeros(3, np.float32))).all()


@pytest.mark.parametrize(
  ("shape", "layout"),
  [
    (NHWC, "NHWC"),
    (NCHW, "NCHW"),
    (FLAT, "flat NHWC"),
    ((None, None, None, 3), "NHWC"),
    ((None, 3, None, None), "NCHW"),
    ((None, None, None, None), "NHWC"),
    ((16, 8, 6, 3), "NHWC"),
    (None, "NHWC"),
    ((None, None), "flat NHWC"),
  ],
)
def test_layouts(shape, layout):
  assert layout_of(offer(image(shape))) == layout


def layout_of(*offers, **options):
  return choose(*offers, **options).takes.layout


def test_layouts_with_channels_first():
  assert layout_of(offer(image(None)), channels_first=True) == "NCHW"
  assert layout_of(offer(image((None,) * 4)), channels_first=True) == "NCHW"
  assert layout_of(offer(image(NHWC)), channels_first=True) == "NHWC"


@pytest.mark.parametrize("order", ["NHWC", "NCHW"])
def test_flat_images_have_an_order(order):
  interface = choose(offer(image(FLAT)), layout=order)
  assert interface.takes.layout == f"flat {order}"
  images = np.random.default_rng(0).random((2, *SHAPE), np.float32)
  expected = images if order == "NHWC" else images.transpose(0, 3, 1, 2)
  prepared = interface.prepare(images)
  np.testing.assert_array_equal(prepared, expected.reshape(2, -1))
  np.testing.assert_allclose(interface.restore(prepared), images, atol=1e-6)
  likely = layout_of(offer(image(FLAT)), channels_first=True)
  assert likely == "flat NCHW"  # as PyTorch flattens


def test_an_ambiguous_shape():
  ambiguous = offer(image((None, 3, 3, 3)))
  assert layout_of(ambiguous, shape=(3, 3, 3)) == "NHWC"
  assert layout_of(ambiguous, shape=(3, 3, 3), channels_first=True) == "NCHW"
  assert layout_of(ambiguous, shape=(3, 3, 3), layout="NCHW") == "NCHW"


def test_a_layout_that_does_not_fit():
  assert refuse(offer(image(NHWC)), layout="NCHW", match="--layout")


def test_points():
  interface = choose(offer(image((None, 10))), shape=(10,))
  assert interface.takes.layout == "points"
  refuse(
    offer(image((None, 11))), shape=(10,), match=r"takes no images of shape \(10,\)"
  )


@pytest.mark.parametrize(
  "shape", [(None, 8, 6, 2), (None, 6, 8, 3), (None, 143), (None, 6, 8), (None,), ()]
)
def test_sizes_that_do_not_fit(shape):
  text = refuse(offer(image(shape)), match=r"no images of shape \(8, 6, 3\)")
  assert "--resize" in text and "--data" in text


@pytest.mark.parametrize("dtype", ["string", "object", "unknown", "bool", "complex64"])
def test_inputs_that_are_no_numbers(dtype):
  assert refuse(offer(image(None, dtype)), match="takes no images")


@pytest.mark.parametrize("dtype", ["uint8", "int32"])
def test_whole_numbers(dtype):
  interface = choose(offer(image(dtype=dtype)))
  assert interface.input_range == (0.0, 255.0)
  images = np.full((1, *SHAPE), 0.499, np.float32)
  prepared = interface.prepare(images)
  assert prepared.dtype == np.float32
  np.testing.assert_array_equal(prepared, 127)


def test_a_switch_is_off():
  switch = Tensor("is_training", "bool", ())
  interface = choose(offer(switch, image()))
  assert interface.encode.constants == ((switch, False),)
  assert "; is_training is False" in interface.describe()
  assert interface.encode.input.name == "x"


def test_two_equal_inputs_get_the_same_images():
  interface = choose(offer(image(name="a"), image(name="b")))
  assert interface.encode.input.name == "a"
  assert interface.encode.copies == ("b",)


def test_two_different_inputs():
  inputs = image(NHWC, name="a"), image(FLAT, name="b")
  assert refuse(offer(*inputs), match="several inputs may be the images.*--input_key")
  refuse(offer(*inputs), input_key="b", match="not go into its input a float32 .*--inp")


def test_inputs_of_unknown_shape():
  """As placeholders of TensorFlow 1 often are."""
  keep = Tensor("keep_prob", "float32", None)
  refuse(offer(keep, image()), match="its input keep_prob .*--input keep_prob=VALUE")
  found = choose(offer(keep, image(None)), inputs=(("keep_prob", 1.0),))
  assert found.encode.input.name == "x"
  assert refuse(offer(keep, image(None)), match="several inputs may be the images")


def test_an_unclear_signature_beside_a_clear_one():
  unclear = offer(image(NHWC, name="a"), image(FLAT, name="b"), name="f")
  assert choose(unclear, offer(name="encode")).encode.signature == "encode"


def test_inputs_that_are_no_images():
  others = Tensor("noise", "float32", (None, 5)), Tensor("keep_prob", "float32", ())
  assert refuse(
    offer(image(), *others),
    match="its input noise float32 .*, keep_prob float32 .*: give each a value with "
    "--input noise=VALUE --input keep_prob=VALUE",
  )


@pytest.mark.parametrize(
  ("dtype", "shape", "given", "value", "fed"),
  [
    ("float32", (), 1.0, 1.0, np.float32(1)),
    ("float32", None, 0.5, 0.5, np.float32(0.5)),
    ("float64", (1,), True, 1.0, np.ones(1)),
    ("int64", (), 3.0, 3, np.int64(3)),
    ("bool", (), True, True, np.True_),
    ("bool", (None,), 1.0, True, np.ones(4, bool)),
    ("float32", (None, 2), 0.0, 0.0, np.zeros((4, 2), np.float32)),
    ("float32", (1, None), 0.0, 0.0, np.zeros((1, 1), np.float32)),
  ],
)
def test_inputs_with_a_value(dtype, shape, given, value, fed):
  other = Tensor("other", dtype, shape)
  call = choose(offer(image(), other), inputs=(("other", given),)).encode
  assert call.constants == ((other, value),)
  assert type(call.constants[0][1]) is type(value)
  array, as_type = call.feeds(np.zeros((4, *SHAPE), np.float32))["other"]
  np.testing.assert_array_equal(array, fed)
  assert np.shape(array) == np.shape(fed) and as_type == dtype
  again = Call.from_json(json.loads(json.dumps(dataclasses.asdict(call))))
  assert again == call


@pytest.mark.parametrize(
  ("dtype", "value"), [("int32", 0.5), ("bool", 2.0), ("string", 1.0)]
)
def test_values_of_another_type(dtype, value):
  other = Tensor("other", dtype, ())
  with pytest.raises(UserError, match="--input other=.*takes no such value"):
    choose(offer(image(), other), inputs=(("other", value),))


def test_a_value_for_an_input_that_is_not_there():
  assert refuse(offer(), inputs=(("x2", 1.0),), match=r"no input 'x2' \(--input\)")


def test_names_of_signatures():
  names = ["zeta", "serving_default", "gaussian_encoder", "encode"]
  offers = [offer(name=name) for name in names]
  assert choose(*offers).encode.signature == "encode"
  assert choose(*offers[:3]).encode.signature == "gaussian_encoder"
  assert choose(*offers[:2]).encode.signature == "serving_default"
  assert choose(offers[0]).encode.signature == "zeta"
  assert refuse(offer(name="a"), offer(name="b"), match="a, b may encode.*--signature")


def test_the_signature_that_fits_is_taken():
  other = offer(image((None, 9, 9, 3)), name="encode")
  assert choose(other, offer(name="theirs")).encode.signature == "theirs"
  assert refuse(other, offer(image((None, 7)), name="b"), match="no signature takes")


def test_no_signature_at_all():
  refuse(match="no signature takes images")


def test_forced():
  offers = (
    offer(name="encode"),
    offer(image(name="y"), name="b", outputs=codes("p", "q")),
  )
  interface = choose(
    *offers,
    signature="b",
    input_key="y",
    output_key=("q", "log_variance=p"),
    input_range=(-1.0, 1.0),
  )
  assert interface.encode.signature == "b"
  assert interface.encode.outputs == ("q", "p")
  assert interface.spread == "log_variance"
  assert interface.input_range == (-1.0, 1.0)


@pytest.mark.parametrize(
  ("forced", "match"),
  [
    ({"signature": "c"}, "no signature 'c'"),
    ({"input_key": "y"}, r"no input 'y' \(--input_key\)"),
    ({"output_key": ("nothing",)}, r"no vector 'nothing' \(--output_key\)"),
    ({"output_key": ("mean=mean", "scale=nothing")}, "no vector 'nothing'"),
    ({"output_key": ("size=mean",)}, "'size' is none of mean, log_variance"),
    ({"output_key": ("scale=mean",)}, "names no mean"),
    ({"resize": (9, 9)}, r"no images of shape \(9, 9, 3\)"),
  ],
)
def test_forced_what_is_not_there(forced, match):
  refuse(offer(), match=match, **forced)


def test_names_cannot_change_the_terminal():
  rude = "\x1b[2J\n"
  outputs = codes(f"{rude}a", f"{rude}b")
  inputs = image(name=f"{rude}x", dtype="float32")
  one = offer(inputs, name=f"{rude}encode", outputs=outputs)
  for forced in ({}, {"output_key": ("no",)}, {"input_key": "no"}, {"layout": "NCHW"}):
    with pytest.raises(UserError) as caught:
      choose(one, **forced)
    assert str(caught.value).replace("\n  ", "").isprintable()
  assert choose(one, output_key=(f"{rude}a",)).describe().isprintable()


IMAGES = np.random.default_rng(0).random((2, *SHAPE), np.float32)


@pytest.mark.parametrize("shape", [NHWC, NCHW, FLAT])
@pytest.mark.parametrize("input_range", [None, (-1.0, 1.0), (0.0, 255.0)])
def test_prepare_and_restore(shape, input_range):
  interface = choose(offer(image(shape)), input_range=input_range)
  prepared = interface.prepare(IMAGES)
  assert prepared.shape == (2, *shape[1:])
  low, high = input_range or (0.0, 1.0)
  assert low <= prepared.min() < prepared.max() <= high
  np.testing.assert_allclose(interface.restore(prepared), IMAGES, atol=1e-6)
  np.testing.assert_allclose(
    interface.restore(prepared.reshape(2, -1)), IMAGES, atol=1e-6
  )


def test_channels_first_moves_pixels():
  prepared = choose(offer(image(NCHW))).prepare(IMAGES)
  np.testing.assert_array_equal(prepared[1, 2], IMAGES[1, :, :, 2])


def test_restore_cuts_off():
  interface = choose(offer())
  assert interface.restore(np.full((1, *SHAPE), 7.0)).max() == 1
  assert interface.restore(np.full((1, *SHAPE), -7.0)).min() == 0


def test_points_are_not_images():
  interface = choose(offer(image((None, 4))), shape=(4,), resize=(9, 9))
  points = np.array([[-3.0, 0.0, 0.5, 7.0]], np.float32)
  np.testing.assert_array_equal(interface.prepare(points), points)
  np.testing.assert_array_equal(interface.restore(points), points)


def test_resize():
  interface = choose(offer(image((None, 4, 2, 3))), resize=(4, 2))
  flat = np.full((2, *SHAPE), 0.5, np.float32)
  prepared = interface.prepare(flat)
  assert prepared.shape == (2, 4, 2, 3)
  np.testing.assert_allclose(prepared, 0.5, atol=1e-6)
  restored = interface.restore(prepared)  # to be compared with the images
  assert restored.shape == flat.shape
  np.testing.assert_allclose(restored, 0.5, atol=1e-6)


@pytest.mark.parametrize(
  ("shape", "remark"),
  [
    ((None, 8, 6, 3), "images of 1 channel(s) given as 3, repeated"),
    ((None, 3, 8, 6), "images of 1 channel(s) given as 3, repeated"),
    ((None, 144), "images of 1 channel(s) given as 3, repeated"),
    ((None, 8, 6, 1), "images of 3 channel(s) given as 1, by their luminance"),
    ((None, 1, 8, 6), "images of 3 channel(s) given as 1, by their luminance"),
    ((None, 8, 6), "images of 3 channel(s) given as 1, by their luminance"),
    ((None, 48), "images of 3 channel(s) given as 1, by their luminance"),
  ],
)
def test_other_channels(shape, remark):
  channels = 1 if "repeated" in remark else 3
  grey = np.random.default_rng(0).random((2, 8, 6, 1), np.float32)
  images = np.repeat(grey, channels, axis=-1)
  interface = choose(offer(image(shape)), shape=images.shape[1:])
  assert interface.remarks == (remark,)
  prepared = interface.prepare(images)
  assert prepared.shape == (2, *shape[1:])
  np.testing.assert_allclose(interface.restore(prepared), images, atol=1e-6)


def test_luminance():
  interface = choose(offer(image((None, 8, 6))))
  colours = np.zeros((3, *SHAPE), np.float32)
  colours[[0, 1, 2], ..., [0, 1, 2]] = 1
  found = interface.prepare(colours)[:, 0, 0]
  np.testing.assert_allclose(found, [0.299, 0.587, 0.114], atol=1e-6)


def test_the_own_number_of_channels_is_better():
  grey, colour = image((None, 8, 6, 1)), image(NHWC)
  offers = offer(grey, name="encode"), offer(colour, name="other")
  assert choose(*offers).encode.signature == "other"


def test_images_without_an_axis_of_channels():
  interface = choose(offer(image((None, 8, 6))), shape=(8, 6, 1))
  assert interface.takes.layout == "NHW" and not interface.remarks
  assert interface.prepare(np.zeros((2, 8, 6, 1))).shape == (2, 8, 6)
