from disentangle_tf.papers import FIGURES
from disentangle_tf.papers.locatello import figures


def test_every_figure_is_a_list_of_functions():
  assert figures.FIGURES.items() <= FIGURES.items()
  for plots in FIGURES.values():
    assert plots and all(callable(plot) for plot in plots)
