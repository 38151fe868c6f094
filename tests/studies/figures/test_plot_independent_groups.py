import numpy as np

from disentangle_tf.studies.figures import plot_independent_groups


def test_groups_and_discovered_factors():
  figure = plot_independent_groups({"eye": np.eye(3), "ones": np.ones((2, 3))})
  first, second = figure["independent_groups"].axes
  assert first.get_title() == "eye" and set(first.get_lines()[0].get_ydata()) == {3}
  assert set(second.get_lines()[0].get_ydata()) == {1}
  assert set(second.get_lines()[1].get_ydata()) == {3}
  assert first.texts[0].get_text() == "area 3.00, most 3"
