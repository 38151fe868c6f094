import numpy as np
from figure_checks import drawn_matrix, row_labels

from disentangle_tf import plots
from disentangle_tf.pictures import latents_figure, traversal_values


def decode(codes):
  """Grey images of 4x4, as bright as the second latent, with a red corner."""
  images = np.zeros((len(codes), 4, 4, 3)) + codes[:, None, None, 1:2]
  images[:, 0, 0] = np.stack([codes[:, 0], 0 * codes[:, 0], 0 * codes[:, 0]], axis=-1)
  return images


def test_rows_are_the_latents_in_their_order():
  codes = np.array([[0.5, 0.25], [0.0, 0.0], [1.0, 1.0]])
  figure = latents_figure(decode, codes, [1, 0], "range")
  (axis,) = figure.axes
  assert row_labels(axis) == ["latent 1", "latent 0"]
  picture = drawn_matrix(axis)
  # Images of 4 pixels between lines of one.
  first, second = picture[1 + 2, 2::5], picture[6 + 2, 2::5]
  np.testing.assert_allclose(first[:, 0], np.linspace(0, 1, 9))  # brightness moves
  np.testing.assert_allclose(second[:, 0], 0.25)  # it stays where the first code is
  np.testing.assert_allclose(picture[6, 1:-1:5, 0], np.linspace(0, 1, 9))  # red corner


def test_values_are_those_of_their_kind():
  codes = np.array([[0.5, 0.25], [0.0, 0.0], [1.0, 1.0]])
  for kind in ("prior", "fitted", "range"):
    picture = drawn_matrix(latents_figure(decode, codes, [1], kind).axes[0])
    expected = np.clip(traversal_values(kind, codes)[1], 0, 1)  # as colours are
    np.testing.assert_allclose(picture[1 + 2, 2::5, 0], expected, rtol=1e-6)
  assert plots.image_grid(np.zeros((1, 9, 4, 4, 1))).shape == picture.shape
