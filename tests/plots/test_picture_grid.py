import numpy as np
from figure_checks import drawn_matrix

from disentangle_tf import plots


def test_pictures_with_their_names():
  pictures = {"a": np.zeros((4, 4, 3)), "b": np.random.default_rng(0).random((4, 4, 3))}
  figure = plots.picture_grid_figure(
    pictures, x_labels={"a": "x", "b": "y"}, y_labels={"a": "u", "b": "v"}
  )
  for axis, (name, picture) in zip(figure.axes, pictures.items(), strict=True):
    assert axis.get_title() == name
    np.testing.assert_array_equal(drawn_matrix(axis), picture)
  assert [axis.get_xlabel() for axis in figure.axes] == ["x →", "y →"]
  assert [axis.get_ylabel() for axis in figure.axes] == ["u →", "v →"]
