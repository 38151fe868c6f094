"""Which of a model's functions encodes, and how images go into it."""

import dataclasses
import re

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.model_error import printable
from disentangle_tf.foreign.offer import Tensor

# Names that people give, best first; one of them decides if several would do.
_ENCODERS = (
  "encode",
  "gaussian_encoder",
  "encoder",
  "representation",
  "serving_default",
  "default",
)
_DECODERS = ("decode", "decoder", "generate", "generator")
_RECONSTRUCTIONS = ("reconstruct", "reconstructions", "reconstruction", "autoencode")
_SURE_MEANS = ("mean", "mu", "loc")
_NUMBERS = re.compile(r"u?int(8|16|32|64)|float(16|32|64)|bfloat16")
_TINY = np.finfo(np.float32).tiny
_TO_LOG_VARIANCE = {
  "log_variance": lambda x: x,
  "variance": lambda x: np.log(np.maximum(x, _TINY)),
  "scale": lambda x: 2 * np.log(np.maximum(x, _TINY)),
  "log_scale": lambda x: 2 * x,
}
ROLES = ("mean", *_TO_LOG_VARIANCE)


@dataclasses.dataclass(frozen=True)
class Call:
  """One function of a model: what goes in and what is kept of what comes out.

  Attributes:
    signature: its name.
    input: the `Tensor` that the array goes into.
    copies: names of further inputs that take the same array.
    switches: names of boolean inputs, which are fed False.
    outputs: names of the outputs that are kept.
  """

  signature: str
  input: Tensor
  copies: tuple = ()
  switches: tuple = ()
  outputs: tuple = ()


@dataclasses.dataclass(frozen=True)
class Interface:
  """How a model is used.

  Attributes:
    encode: the `Call` whose first output is the mean.
    spread: what its second output is, one of `ROLES`; None if there is none.
    decode, reconstruct: `Call`s, or None.
    image_shape: of the data set's images.
    layout: "NHWC", "NCHW", one of them after "flat ", or "points" for sets that are not
      images.
    input_range: lowest and highest pixel value.
    resize: (height, width), or None.
    remarks: what was taken for granted.
  """

  encode: Call
  spread: str | None
  decode: Call | None
  reconstruct: Call | None
  image_shape: tuple
  layout: str
  input_range: tuple
  resize: tuple | None
  remarks: tuple

  def log_variances(self, values):
    """The second output as log-variances."""
    with np.errstate(over="ignore"):  # the caller looks at what comes out
      return _TO_LOG_VARIANCE[self.spread](values)

  def describe(self):
    """One line that says how the model is read."""
    encode = self.encode
    outputs = ["mean", self.spread][: len(encode.outputs)]
    kept = ", ".join(
      f"{role} from {printable(name)}"
      for role, name in zip(outputs, encode.outputs, strict=True)
    )
    low, high = self.input_range
    others = [
      f"{role} by {printable(call.signature)}"
      for role, call in (("decode", self.decode), ("reconstruct", self.reconstruct))
      if call
    ]
    if encode.switches:
      kept += f"; {', '.join(map(printable, encode.switches))} is False"
    resized = f" resized to {self.resize[0]}x{self.resize[1]}" if self.resize else ""
    line = (
      f"encode by {printable(encode.signature)}: {encode.input}, {self.layout}, pixels "
      f"in [{low:g}, {high:g}]{resized}; {kept}"
    )
    return "; ".join([line, *others, *self.remarks])

  def prepare(self, images):
    """Images [N, H, W, C] in [0, 1] as the model takes them."""
    images = np.asarray(images, np.float32)
    if self.resize:
      import tensorflow as tf

      images = tf.image.resize(images, self.resize, antialias=True).numpy()
    low, high = self.input_range
    images = low + (high - low) * images
    if self.layout.endswith("NCHW"):
      images = images.transpose(0, 3, 1, 2)
    if self.layout.startswith("flat"):
      images = images.reshape(len(images), -1)
    if np.issubdtype(np.dtype(self.encode.input.dtype), np.integer):
      images = np.rint(images)
    return np.ascontiguousarray(images, np.float32)

  def restore(self, outputs):
    """What the decoder gives as images [N, H, W, C] in [0, 1]; others are cut off."""
    low, high = self.input_range
    outputs = (outputs - low) / (high - low)
    if self.layout == "points":
      return outputs
    height, width = self.resize or self.image_shape[:2]
    channels = self.image_shape[-1]
    if self.layout.endswith("NCHW"):
      outputs = outputs.reshape(-1, channels, height, width).transpose(0, 2, 3, 1)
    else:
      outputs = outputs.reshape(-1, height, width, channels)
    return np.clip(outputs, 0.0, 1.0)


def choose_interface(offers, image_shape, reading, *, channels_first):
  """The `Interface` between a data set's images and a model.

  Args:
    offers: the model's `Offer`s.
    image_shape: the data set's observation shape.
    reading: the user's `Reading`.
    channels_first: which layout to take if both would do.
  """
  offer = _choose_encoder(offers, image_shape, reading, channels_first)
  image, layout = _image_inputs(offer, image_shape, reading, channels_first)[0]
  call = _call(offer, image)
  outputs, spread, remarks = _choose_outputs(offer, offers, reading)
  whole_numbers = np.issubdtype(np.dtype(image.dtype), np.integer)
  own_range = (0.0, 255.0) if whole_numbers else (0.0, 1.0)
  shape = _target_shape(image_shape, reading)
  return Interface(
    dataclasses.replace(call, outputs=outputs),
    spread,
    _choose_decoder(offers, offer, shape, layout),
    _choose_reconstruction(offers, offer, image, shape, layout),
    tuple(image_shape),
    layout,
    reading.input_range or own_range,
    reading.resize if layout != "points" else None,
    tuple(remarks),
  )


def _choose_encoder(offers, image_shape, reading, channels_first):
  if reading.signature:
    named = [offer for offer in offers if offer.name == reading.signature]
    if not named:
      raise _mismatch(f"it has no signature {reading.signature!r}", offers)
    _image_inputs(named[0], image_shape, reading, channels_first)
    return named[0]
  fitting, problems = [], []
  for offer in offers:
    try:
      _image_inputs(offer, image_shape, reading, channels_first)
      if _vectors(offer):
        fitting.append(offer)
    except UserError as error:
      problems.append(error)
  by_name = [offer for name in _ENCODERS for offer in fitting if offer.name == name]
  if by_name:
    return by_name[0]
  if len(fitting) == 1:
    return fitting[0]
  if fitting:
    names = ", ".join(printable(offer.name) for offer in fitting)
    raise _mismatch(f"any of {names} may encode: choose with --signature", offers)
  if len(problems) == 1 or len(offers) == 1:
    raise problems[0] if problems else _mismatch("it gives no vector of codes", offers)
  raise _mismatch(
    f"no signature takes images of shape {tuple(image_shape)} and gives a vector: "
    "see --signature, --resize, --layout, or name other --data",
    offers,
  )


def _image_inputs(offer, image_shape, reading, channels_first):
  """[(input, layout)] of the inputs that can take the images; at least one."""
  inputs = [tensor for tensor in offer.inputs if _NUMBERS.fullmatch(tensor.dtype)]
  if reading.input_key:
    inputs = [tensor for tensor in inputs if tensor.name == reading.input_key]
    if not inputs:
      raise _mismatch(f"it has no input {reading.input_key!r} (--input_key)", [offer])
  shape = _target_shape(image_shape, reading)
  found = [(t, _layout(t, shape, reading.layout, channels_first)) for t in inputs]
  found = [(tensor, layout) for tensor, layout in found if layout]
  if not found:
    raise _mismatch(
      f"it takes no images of shape {shape}: see --resize, --layout, --input_key, or "
      "name other --data",
      [offer],
    )
  if len(found) > 1 and not reading.input_key and len({t.shape for t, _ in found}) > 1:
    raise _mismatch(
      "several inputs may be the images: choose with --input_key", [offer]
    )
  return found


def _target_shape(image_shape, reading):
  if reading.resize and len(image_shape) == 3:
    return (*reading.resize, image_shape[-1])
  return tuple(image_shape)


def _layout(tensor, shape, forced, channels_first):
  """The layout in which `tensor` takes images of this shape, or None."""
  if len(shape) != 3:
    return "points" if tensor.shape is None or _fits(tensor.shape[1:], shape) else None
  likely, other = ("NCHW", "NHWC") if channels_first else ("NHWC", "NCHW")
  if tensor.shape is None:
    return forced or likely
  height, width, channels = shape
  orders = {"NHWC": shape, "NCHW": (channels, height, width)}
  for name in [forced] if forced else [likely, other]:
    if _fits(tensor.shape[1:], orders[name]):
      return name
  flat = _fits(tensor.shape[1:], (height * width * channels,))
  return f"flat {forced or likely}" if flat else None


def _fits(sizes, wanted):
  return len(sizes) == len(wanted) and all(
    size is None or size == want for size, want in zip(sizes, wanted, strict=True)
  )


def _call(offer, image):
  """The call that feeds `image`; other inputs are copies of it, or switches."""
  others = [tensor for tensor in offer.inputs if tensor is not image]
  switches = tuple(t.name for t in others if t.dtype == "bool")
  copies = tuple(t.name for t in others if t.dtype != "bool" and t.shape == image.shape)
  left = [t for t in others if t.name not in (*switches, *copies)]
  if left:
    raise _mismatch(f"its input {left[0]} cannot be filled with images", [offer])
  return Call(offer.name, image, copies, switches)


def _vectors(offer):
  """Outputs that may be codes: a vector an image, or of unknown shape."""
  return [t for t in offer.outputs if _is_vector(t) and t.dtype.startswith("float")]


def _is_vector(tensor):
  shape = tensor.shape
  if shape is None or len(shape) == 2:
    return True
  return len(shape) == 4 and (shape[1:3] == (1, 1) or shape[2:4] == (1, 1))


def _choose_outputs(offer, offers, reading):
  """(names, role of the second, remarks)."""
  vectors = {tensor.name: tensor for tensor in _vectors(offer)}
  if reading.output_key:
    roles = dict(map(_role_and_name, reading.output_key))
    for name in roles.values():
      if name not in vectors:
        called = printable(offer.name)
        raise _mismatch(f"{called} has no vector {name!r} (--output_key)", offers)
    if "mean" not in roles:
      raise UserError("--output_key names no mean: add --output_key NAME")
    remarks = []
  else:
    roles, remarks = _roles_by_name(list(vectors), offer)
  spread = next((role for role in _TO_LOG_VARIANCE if role in roles), None)
  names = (roles["mean"],) + ((roles[spread],) if spread else ())
  return names, spread, remarks


def _role_and_name(text):
  role, equals, name = text.partition("=")
  if not equals:
    return "mean", text
  if role not in ROLES:
    raise UserError(f"--output_key {text}: {role!r} is none of {', '.join(ROLES)}")
  return role, name


def _roles_by_name(names, offer):
  """({role: name}, remarks); a `UserError` where names tell nothing."""
  if not names:
    raise _mismatch(f"{printable(offer.name)} gives no vector of codes", [offer])
  if len(names) == 1:
    return {"mean": names[0]}, []
  guesses = {name: _role_by_name(name) for name in names}
  means = [n for n in names if guesses[n] == "mean"]
  open_ones = [n for n in names if guesses[n] is None]
  roles = {role: n for n, role in guesses.items() if role in _TO_LOG_VARIANCE}
  if len(means) == 1 or (not means and len(open_ones) == 1):
    return {"mean": (means or open_ones)[0], **roles}, []
  numbered = sorted(open_ones, key=_number)
  if not means and not roles and len({re.sub(r"\d+", "", n) for n in numbered}) == 1:
    unused = ", ".join(printable(name) for name in numbered[1:])
    remark = f"{unused} not used: say what they are with --output_key ROLE=NAME"
    return {"mean": numbered[0]}, [remark]
  raise _mismatch("several outputs may be the mean: choose with --output_key", [offer])


def _role_by_name(name):
  """What a name says about an output, None if nothing."""
  text = re.sub(r"[^a-z0-9]", "", name.lower())
  if text.endswith(("mean", "mu")):
    return "mean"
  spreads = r"std|sigma|scale|sd$"
  if re.search(r"var|sigma2|sigmasq", text):
    return "log_variance" if "log" in text else "variance"
  if re.search(spreads, text):
    return "log_scale" if "log" in text else "scale"
  parts = re.split(r"[^a-z]+", name.lower())
  return "mean" if any(part in _SURE_MEANS for part in parts) else None


def _number(name):
  numbers = re.findall(r"\d+", name)
  return int(numbers[-1]) if numbers else -1


def _choose_decoder(offers, encoder, shape, layout):
  def decodes(offer):
    (codes,) = offer.inputs if len(offer.inputs) == 1 else (None,)
    return codes is not None and _is_vector(codes) and _pictures(offer, shape, layout)

  return _by_name(_DECODERS, offers, encoder, decodes, shape, layout)


def _choose_reconstruction(offers, encoder, image, shape, layout):
  def reconstructs(offer):
    same = len(offer.inputs) == 1 and offer.inputs[0].shape == image.shape
    return same and _pictures(offer, shape, layout)

  return _by_name(_RECONSTRUCTIONS, offers, encoder, reconstructs, shape, layout)


def _by_name(names, offers, encoder, fits, shape, layout):
  for name in names:
    for offer in offers:
      if offer.name == name and offer is not encoder and fits(offer):
        picture = _pictures(offer, shape, layout)[0]
        return Call(offer.name, offer.inputs[0], outputs=(picture.name,))
  return None


def _pictures(offer, shape, layout):
  """Outputs that have the images' shape, or an unknown one."""
  return [
    tensor
    for tensor in offer.outputs
    if tensor.shape is None or _layout(tensor, shape, None, "NCHW" in layout) == layout
  ]


def _mismatch(problem, offers):
  listed = " | ".join(map(str, offers))
  return UserError(f"{problem}; the model offers {listed}")
