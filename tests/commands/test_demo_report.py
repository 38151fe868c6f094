import base64
import re

import numpy as np
import pytest
from figure_checks import read_png
from shared_checks import tiny_data

from disentangle_tf import losses, perceived, plots
from disentangle_tf.commands.demo_report import SCORES, write_report
from disentangle_tf.latent_use import most_used_first
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.pictures import latent_traversal, reconstructions


@pytest.fixture(scope="module")
def page(exported, tmp_path_factory):
  """(text of the page, pixels of its pictures)."""
  path = tmp_path_factory.mktemp("demo") / "report.html"
  exports = {"mse": exported[0], "overlap": exported[0]}
  scores = {
    loss: {name: place + number / 10 for number, name in enumerate(SCORES)}
    for place, loss in enumerate(exports)
  }
  write_report(path, exports, scores, num_seeds=3)
  text = path.read_text()
  found = re.findall('src="data:image/png;base64,(.*?)"', text)
  return text, [read_png(base64.b64decode(content)) for content in found]


def test_scores_of_both_models(page):
  text, _ = page
  for name in SCORES:
    assert f"<th>{name}</th>" in text
  assert "Median of 3 seeds;" in text
  assert '<tr><td>Pixel-wise loss (MSE)</td><td class="other">0.000</td>' in text
  assert '<tr><td>Overlap loss (box blur)</td><td class="best">1.000</td>' in text


def test_pictures_of_both_models(page, exported):
  text, pictures = page
  headings = re.findall("<h2>(.*?)</h2>", text)
  assert headings == [
    *("Scores", "Perceived distances", "Reconstructions", "Latent traversals")
  ]
  assert len(pictures) == 6
  matrices = perceived.distance_matrices(tiny_data(), losses.MSE())
  names = tiny_data().factors.names
  figure = plots.matrices_figure(matrices, names, label="perceived distance")
  expected = read_png(plots.figure_to_png(figure))
  np.testing.assert_array_equal(pictures[0], expected)
  live = LiveModel(exported[1])
  points = tiny_data().factors.draw(256, np.random.default_rng(0))
  images = tiny_data().observe(points).numpy()
  means, log_variances = live.encode(images)
  moved = latent_traversal(live.decode, means[0])[most_used_first(means, log_variances)]
  for place, rows in ((2, reconstructions(live, images[:9])), (4, moved)):
    expected = plots.image_grid(rows, scale=4, padding=3)
    for shown in pictures[place : place + 2]:
      np.testing.assert_allclose(shown, expected, atol=1 / 254)
