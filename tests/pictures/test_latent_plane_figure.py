import numpy as np
from figure_checks import drawn_matrix

from disentangle_tf import plots
from disentangle_tf.pictures import latent_plane, latent_plane_figure, traversal_values


def _decode(codes):
  return np.clip(codes[:, None, None, :], 0, 1) * np.ones((1, 4, 4, 1))


def test_a_panel_for_each_model():
  codes = np.random.default_rng(0).random((20, 3))
  planes = {"a": (_decode, codes, (0, 2)), "b": (_decode, codes, (1, 0))}
  figure = latent_plane_figure(planes, caption="words")
  first, second = figure.axes
  assert [axis.get_title() for axis in figure.axes] == ["a", "b"]
  assert (first.get_xlabel(), first.get_ylabel()) == ("latent 0 →", "latent 2 →")
  assert (second.get_xlabel(), second.get_ylabel()) == ("latent 1 →", "latent 0 →")
  values = traversal_values("range", codes, 7)
  expected = latent_plane(_decode, codes[0], (1, 0), values=values)
  np.testing.assert_allclose(drawn_matrix(second), plots.image_grid(expected))
  assert figure.get_supxlabel() == "words"
