from study_figure_checks import run_figure_test, small_study

from disentangle_tf.studies.analyses import transfer_of_settings
from disentangle_tf.studies.figures import plot_transfer_of_settings


def test_promises():
  run_figure_test(plot_transfer_of_settings, resamples=10, draws=100)


def test_exact_drawn_and_chance():
  table = small_study()
  found = plot_transfer_of_settings(table, draws=200, resamples=10)
  text = found["transfer_of_settings.md"]
  for value in transfer_of_settings(table, resamples=0).exact.compressed():
    assert f"{100 * value:.1f} %" in text
  assert text.count(f"chance {100 * 13 / 24:.1f} %") == 4  # 12 settings
  assert "share of 200 draws" in text and text.count("drawn") == 4
  cells = [each.get_text() for each in found["transfer_of_settings"].axes[0].texts]
  assert cells[1:4] == ["other data set", "same data set", "other metric"]
  assert len(cells) == 9


def test_one_data_set_leaves_cells_empty():
  table = small_study(data=("dsprites",))
  text = plot_transfer_of_settings(table, resamples=0)["transfer_of_settings.md"]
  assert text.count("| – |") == 2 and "drawn" not in text
