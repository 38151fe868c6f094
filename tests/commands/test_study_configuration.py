import pytest

from disentangle_tf.commands.study_configuration import read_study
from disentangle_tf.errors import UserError


def test_a_study_is_read_without_being_run():
  bindings = ["studies.Study.seeds = 2", "studies.plot_levels.num_traversals = 3"]
  found, text = read_study(["gin/studies/michlo_figure_10.gin"], bindings)
  assert list(found.runs) == ["box blur", "MSE"] and found.seeds == 2
  (plot,) = found.plots
  assert callable(plot)
  assert "studies.Study.seeds = 2" in text


def test_a_setting_that_no_plot_reads_is_told():
  with pytest.raises(UserError, match="nothing here reads this setting"):
    read_study(
      ["gin/studies/michlo_figure_10.gin"], ["studies.plot_traversals.num_latents = 3"]
    )
