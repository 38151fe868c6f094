from made_up_offers import ENCODE, NHWC, X, choose, function, tensor, vector


def test_several_images_of_a_decoder():
  images = [tensor(name, NHWC) for name in ("a", "b")]
  both = function("p", [vector("z")], *images)
  interface = choose(ENCODE, both)
  assert interface.decode.call.outputs == ("a",)
  assert interface.remarks == (
    "a used as the images, not b: see decoder SIGNATURE=OUTPUT",
  )
  assert choose(ENCODE, both, decoder="p=b").decode.call.outputs == ("b",)
  spread = function("p", [vector("z")], tensor("scale", NHWC), tensor("loc", NHWC))
  interface = choose(ENCODE, spread)
  assert interface.decode.call.outputs == ("loc",) and not interface.remarks


def test_images_of_unknown_shape_are_told_by_their_names():
  outputs = [tensor(name, None) for name in ("reconstruction", "mu", "logvar")]
  interface = choose(function("keras", X, *outputs))
  assert interface.encode.outputs == ("mu", "logvar")
  assert interface.reconstruct.call.outputs == ("reconstruction",)
  outputs = [tensor(name, None) for name in ("decoded", "z")]
  assert choose(function("keras", X, *outputs)).encode.outputs == ("z",)
  outputs = [tensor(f"output_{i}", None) for i in range(3)]
  key = ("output_1", "log_variance=output_2", "reconstruction=output_0")
  interface = choose(function("keras", X, *outputs), output_key=key)
  assert interface.encode.outputs == ("output_1", "output_2")
  assert interface.reconstruct.call.outputs == ("output_0",)
