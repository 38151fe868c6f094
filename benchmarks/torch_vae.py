"""The paper's convolutional beta-VAE in PyTorch, as a peer for the training step.

It has the layers, initial distributions, loss and optimiser of the step in
training_step.py, and draws its XYSquares batches with the same table of images.
"""

import torch
from torch import nn

STRIDED = {"kernel_size": 4, "stride": 2, "padding": 1}


class ConvVAE(nn.Module):
  """Convolutions of 32, 32, 64, 64 filters, dense 256; the decoder mirrors them."""

  def __init__(self, channels, latents):
    super().__init__()
    self.encoder = nn.Sequential(
      *_rectified(nn.Conv2d(channels, 32, **STRIDED)),
      *_rectified(nn.Conv2d(32, 32, **STRIDED)),
      *_rectified(nn.Conv2d(32, 64, **STRIDED)),
      *_rectified(nn.Conv2d(64, 64, **STRIDED)),
      nn.Flatten(),
      *_rectified(nn.Linear(1024, 256)),
      nn.Linear(256, 2 * latents),
    )
    self.decoder = nn.Sequential(
      *_rectified(nn.Linear(latents, 256)),
      *_rectified(nn.Linear(256, 1024)),
      nn.Unflatten(1, (64, 4, 4)),
      *_rectified(nn.ConvTranspose2d(64, 64, **STRIDED)),
      *_rectified(nn.ConvTranspose2d(64, 32, **STRIDED)),
      *_rectified(nn.ConvTranspose2d(32, 32, **STRIDED)),
      nn.ConvTranspose2d(32, channels, **STRIDED),
    )

  def forward(self, images):
    """(reconstruction, mean, log-variance) of images [N, channels, 64, 64]."""
    mean, log_variance = self.encoder(images).chunk(2, dim=1)
    codes = mean + torch.exp(0.5 * log_variance) * torch.randn_like(mean)
    return self.decoder(codes), mean, log_variance


class SquaresBatches:
  """Batches of XYSquares 64x64x3: per colour, a square at one of 8 x 8 positions."""

  def __init__(self, batch_size, memory_format):
    self._size = batch_size
    self._format = memory_format
    self._mean = torch.tensor([0.015625]).reshape(1, 1, 1, 1)
    self._std = torch.tensor([0.12403473458920854]).reshape(1, 1, 1, 1)
    self._row = torch.zeros(8, 64)
    for place in range(8):
      self._row[place, 8 * place : 8 * place + 8] = 1.0

  def draw(self):
    """[batch, 3, 64, 64], standardised."""
    rows, columns = torch.randint(8, (2, self._size, 3))
    images = self._row[rows][..., :, None] * self._row[columns][..., None, :]
    return ((images - self._mean) / self._std).contiguous(memory_format=self._format)


def torch_steps(*, batch_size, latents, beta, channels_last, threads):
  """Return a function that takes a number of training steps on `threads` threads."""
  torch.manual_seed(0)
  memory_format = torch.channels_last if channels_last else torch.contiguous_format
  model = ConvVAE(3, latents).to(memory_format=memory_format)
  batches = SquaresBatches(batch_size, memory_format)
  optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-7)

  def take(count):
    torch.set_num_threads(threads)
    for _ in range(count):
      images = batches.draw()
      made, mean, log_variance = model(images)
      divergence = 0.5 * (mean**2 + log_variance.exp() - 1 - log_variance)
      total = nn.functional.mse_loss(made, images) + beta * divergence.mean()
      optimizer.zero_grad()
      total.backward()
      optimizer.step()

  return take


def _rectified(layer):
  return layer, nn.ReLU()
