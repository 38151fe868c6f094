import numpy as np
from figure_checks import drawn_matrix, row_labels
from shared_checks import tiny_data, tiny_model

from disentangle_tf import plots
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.pictures import (
  latent_traversal,
  latents_figure,
  reconstructions,
  samples,
  traversal_values,
)


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


def test_moves_one_latent_at_a_time():
  def decode(codes):
    return codes[:, None, None, :]  # a code is its own image

  images = latent_traversal(decode, [5.0, 6.0], num_values=3, limit=2.0)
  np.testing.assert_array_equal(
    images[:, :, 0, 0],
    [[[-2, 6], [0, 6], [2, 6]], [[5, -2], [5, 0], [5, 2]]],
  )


def test_nine_values_from_minus_2_to_2_by_default():
  images = latent_traversal(lambda codes: codes, [0.0])
  np.testing.assert_allclose(images[0, :, 0], np.linspace(-2, 2, 9))
  assert traversal_values("prior", np.zeros((2, 3))).shape == (3, 9)


def test_values_of_each_kind():
  codes = np.random.default_rng(0).normal([1.0, -2.0], [3.0, 0.5], size=(50_000, 2))
  prior = traversal_values("prior", codes, 5)
  np.testing.assert_allclose(prior[0], [-1.96, -0.6357, 0, 0.6357, 1.96], atol=1e-3)
  np.testing.assert_array_equal(prior[0], prior[1])
  fitted = traversal_values("fitted", codes, 5)
  np.testing.assert_allclose(fitted[0], 1 + 3 * prior[0], atol=0.1)
  np.testing.assert_allclose(fitted[1], -2 + 0.5 * prior[1], atol=0.02)
  ends = traversal_values("range", codes, 5)
  np.testing.assert_allclose(ends[:, [0, -1]].T, [codes.min(axis=0), codes.max(axis=0)])


def test_given_values_are_taken():
  values = np.array([[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]])
  shown = latent_traversal(lambda codes: codes, [1.0, 2.0], values=values)
  np.testing.assert_array_equal(shown[0], [[5, 2], [6, 2], [7, 2]])
  np.testing.assert_array_equal(shown[1], [[1, 8], [1, 9], [1, 10]])


def test_one_image_of_one_latent():
  shown = latent_traversal(lambda codes: codes, [1.0], num_values=3, limit=2.0)
  np.testing.assert_array_equal(shown, [[[-2], [0], [2]]])


class CodesAsImages:
  num_latents = 3

  def decode(self, codes):
    return codes[:, None, None, :]


def test_codes_are_standard_normal():
  images = samples(CodesAsImages(), np.random.default_rng(0), rows=2, columns=4)
  expected = np.random.default_rng(0).normal(size=(8, 3))
  assert images.shape == (2, 4, 1, 1, 3)
  np.testing.assert_array_equal(images.reshape(8, 3), expected)


def test_images_are_above_what_the_model_gives_back():
  model = tiny_model()
  images = tiny_data().observe([[0, 1, 2, 3], [3, 2, 1, 0]]).numpy()
  rows = reconstructions(LiveModel(model), images)
  np.testing.assert_array_equal(rows[0], images)
  np.testing.assert_array_equal(rows[1], model.reconstruct(images))
