from disentangle_tf.papers import FIGURES, locatello


def test_every_figure_is_a_list_of_functions():
  assert locatello.FIGURES.items() <= FIGURES.items()
  for plots in FIGURES.values():
    assert plots and all(callable(plot) for plot in plots)
