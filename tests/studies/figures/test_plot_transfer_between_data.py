import pytest
from study_figure_checks import maps_of, run_figure_test, small_study

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import transfer_scatter
from disentangle_tf.studies.figures import plot_transfer_between_data

_TWO = ("mig", "sap")


def test_promises():
  run_figure_test(plot_transfer_between_data, resamples=10, scores=_TWO)


def test_maps_and_points():
  table = small_study()
  found = plot_transfer_between_data(table, scores=_TWO, resamples=10)
  maps = maps_of(found["transfer_between_data"])
  assert [axis.get_title() for axis in maps] == ["MIG\nn = 12", "SAP\nn = 12"]
  scatter = found["transfer_scatter"]
  assert len(scatter.axes) == 2 * 2
  assert scatter.axes[0].get_ylabel() == "Color-dSprites"
  points = transfer_scatter(table, source="dsprites", scores=_TWO)
  expected = points["color_dsprites", "mig"]["beta-VAE"]
  shown = scatter.axes[0].collections[0].get_offsets()
  assert shown.tolist() == expected.tolist()
  assert "**MIG** (n = 12)" in found["transfer_between_data.md"]


def test_one_data_set_is_refused():
  with pytest.raises(UserError, match="needs two data sets"):
    plot_transfer_between_data(small_study(data=("dsprites",)))
