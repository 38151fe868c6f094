"""The pictures on the page are those of the model; its facts are tested elsewhere."""

import base64
import re

import numpy as np
import pytest
from figure_checks import read_png
from shared_checks import tiny_data

from disentangle_tf import losses, metrics, perceived, plots
from disentangle_tf.evaluation import evaluate
from disentangle_tf.latent_use import most_used_first
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.pictures import latent_traversal, reconstructions
from disentangle_tf.scoring import Measurement


@pytest.fixture(scope="module")
def page(exported, tmp_path_factory):
  """{heading: (its text, its pictures)}."""
  folder = tmp_path_factory.mktemp("page") / "scores"
  measurements = [Measurement(metrics.mig, num_points=50)]
  evaluate(
    model=exported[0], measurements=measurements, output_dir=folder, trusted=True
  )
  text = (folder / "report.html").read_text()
  _, *parts = re.split("<h2>(.*?)</h2>", text)
  pictures = [
    list(map(base64.b64decode, re.findall('base64,(.*?)"', part)))
    for part in parts[1::2]
  ]
  pairs = zip(parts[1::2], pictures, strict=True)
  return dict(zip(parts[::2], pairs, strict=True))


def test_the_parts(page):
  assert {name: len(pictures) for name, (_, pictures) in page.items()} == {
    "Scores": 0,
    "KL of each latent": 0,
    "Latents and factors": 1,
    "Distances along each factor": 2,
    "Reconstructions": 1,
    "Latent traversals": 1,
    "Settings": 0,
    "How it was scored": 0,
  }


def test_latents_in_the_order_of_their_variance(page, exported):
  points = tiny_data().factors.draw(2_000, np.random.default_rng(0))
  _, log_variances = LiveModel(exported[1]).encode(tiny_data().observe(points).numpy())
  variances = np.exp(log_variances).mean(axis=0)
  text, _ = page["KL of each latent"]
  order = ", ".join(map(str, np.argsort(variances)))
  assert f"Ordered by this variance, they are {order}." in text
  assert all(f"variance {variance:.4f}" in text for variance in variances)


def test_reconstructions_and_traversals_are_the_models(page, exported):
  live = LiveModel(exported[1])

  def seen(count):
    points = tiny_data().factors.draw(count, np.random.default_rng(0))
    return tiny_data().observe(points).numpy()

  images = seen(9)
  order = most_used_first(*live.encode(seen(2_000)))
  code = live.encode(images)[0][0]
  moved = latent_traversal(live.decode, code, latents=order)
  for heading, rows in (
    ("Reconstructions", reconstructions(live, images)),
    ("Latent traversals", moved),
  ):
    text, (picture,) = page[heading]
    expected = plots.image_grid(rows, scale=2, padding=2)
    np.testing.assert_allclose(read_png(picture), expected, atol=1 / 254)
  assert f"most active first: {', '.join(map(str, order))}." in text


def test_distances_are_those_of_the_pixels(page):
  _, (shown, codes) = page["Distances along each factor"]
  figure = plots.matrices_figure(
    perceived.distance_matrices(tiny_data(), losses.MSE(), num_traversals=16),
    tiny_data().factors.names,
    label="distance",
  )
  np.testing.assert_array_equal(read_png(shown), read_png(plots.figure_to_png(figure)))
  assert np.abs(read_png(codes) - read_png(shown)).max() > 0.1
