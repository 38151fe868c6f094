import numpy as np

from disentangle_tf.data.fold import fold


def test_the_papers_formula_with_its_misprint_mended():
  """x' - 2 ReLU(x' - 1) + 2 ReLU(-x'), appendix B.1 of Zietlow et al."""
  values = np.linspace(-1, 2, 301)
  expected = values - 2 * np.maximum(values - 1, 0) + 2 * np.maximum(-values, 0)
  np.testing.assert_allclose(fold(values), expected, atol=1e-12)
  assert np.min(fold(values)) >= 0 and np.max(fold(values)) <= 1


def test_nothing_moves_further_than_it_was_pushed():
  rng = np.random.default_rng(0)
  pixels, change = rng.uniform(size=10_000), rng.uniform(-1, 1, size=10_000)
  moved = np.abs(fold(pixels + change) - pixels)
  assert np.all(moved <= np.abs(change) + 1e-12)
  inside = np.abs(pixels + change - 0.5) <= 0.5
  np.testing.assert_allclose(moved[inside], np.abs(change[inside]), atol=1e-12)
