"""Encoders as PyTorch exports them; needs torch 2.13.0, onnx 1.23.2, onnxscript 0.7.2.

`torch_default.onnx` with `torch_default.onnx.data` is `torch.onnx.export` as it is,
`torch_script.onnx` its older way, `torch_attention.onnx` has attention and no data
beside it, `onnxscript.onnx` a function of its own. torch.npz: images and their codes.
"""

import numpy as np
import onnxscript
import torch
from onnxscript import FLOAT, opset18
from torch.export import Dim


class Encoder(torch.nn.Module):
  """Images [N, 1, 8, 8] -> means and log-variances [N, 3]."""

  def __init__(self):
    super().__init__()
    self.convolution = torch.nn.Conv2d(1, 8, 3, stride=2, padding=1)
    self.norm = torch.nn.BatchNorm2d(8)
    self.dense = torch.nn.Linear(128, 6)

  def forward(self, x):
    hidden = torch.nn.functional.gelu(self.norm(self.convolution(x)))
    return self.dense(hidden.flatten(1)).split(3, 1)


class Attention(torch.nn.Module):
  """The same with rows of pixels that look at each other."""

  def __init__(self):
    super().__init__()
    self.attention = torch.nn.MultiheadAttention(8, 2, batch_first=True)
    self.heads = torch.nn.Linear(64, 6)

  def forward(self, x):
    rows = x[:, 0]
    hidden, _ = self.attention(rows, rows, rows)
    return self.heads(hidden.flatten(1)).split(3, 1)


own = onnxscript.values.Opset("pkg.theirs.layers", 1)


@onnxscript.script(own, default_opset=opset18)
def swish(x):
  return x * opset18.Sigmoid(x)


@onnxscript.script(default_opset=opset18)
def scripted(x: FLOAT["N", 1, 8, 8]) -> FLOAT["N", 64]:  # noqa: F821
  return swish(opset18.Flatten(x))


def main():
  torch.manual_seed(0)
  images = np.random.default_rng(0).random((5, 8, 8, 1), np.float32)
  x = torch.from_numpy(images.transpose(0, 3, 1, 2).copy())
  codes = {"images": images}
  batch = {"dynamic_shapes": ({0: Dim.DYNAMIC},)}
  script = {"dynamo": False, "input_names": ["x"], "dynamic_axes": {"x": {0: "n"}}}
  encoder, attention = Encoder(), Attention()
  encoder(x)  # moves the running means
  for name, model, options in (
    ("torch_default", encoder, batch),
    ("torch_script", encoder, script),
    ("torch_attention", attention, batch | {"external_data": False}),
  ):
    model.eval()
    torch.onnx.export(model, (x,), f"{name}.onnx", verbose=False, **options)
    codes[f"{name}.onnx"] = torch.cat(model(x), 1).detach().numpy()
  with open("onnxscript.onnx", "wb") as file:
    file.write(scripted.to_model_proto().SerializeToString())
  flat = images.reshape(5, -1)
  codes["onnxscript.onnx"] = flat / (1 + np.exp(-flat))
  np.savez("torch.npz", **codes)


if __name__ == "__main__":
  main()
