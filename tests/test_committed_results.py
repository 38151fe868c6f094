"""Every committed results.parquet draws its study's figures again, without a model."""

import matplotlib.pyplot as plt
import pytest
from command_calls import ROOT
from matplotlib.figure import Figure

from disentangle_tf.commands.metric_settings import plan_text
from disentangle_tf.commands.study_configuration import read_study
from disentangle_tf.studies.drawing import asked_for, scores_table
from disentangle_tf.studies.planned_results import finished_in_table, planned_results
from disentangle_tf.studies.results_files import read_results_file

RESULTS = ROOT / "docs" / "results"
STUDIES = {  # {folder of results: file of gin/studies}
  "locatello": "locatello_2019",
  "mathieu/figure_2": "mathieu_figure_2",
  "mathieu/figure_2_student_t": "mathieu_figure_2_student_t",
  "michlo/figure_11": "michlo_figure_11",
  "michlo/figure_9": "michlo_figure_9",
  "michlo/figure_9_beta_vae": "michlo_figure_9_beta_vae",
  "zietlow": "zietlow_table_1",
  "zietlow/figure_5": "zietlow_figure_5",
}


def test_every_committed_table_is_listed():
  found = RESULTS.rglob("results.parquet")
  assert {path.parent.relative_to(RESULTS).as_posix() for path in found} == {*STUDIES}


@pytest.mark.parametrize("folder", STUDIES)
def test_figures_and_tables_come_from_the_committed_scores(folder):
  """All committed tables and pictures are drawn; the tables are equal."""
  study, _ = read_study([f"gin/studies/{STUDIES[folder]}.gin"], [])
  plans = study.plans(plan_text)
  found = planned_results(read_results_file(RESULTS / folder), plans)
  assert not found.left_out
  finished = finished_in_table(found.results, plans)
  offered = {"finished": finished, "table": found.results.table}
  drawn = {"scores.md": scores_table(finished) + "\n"}
  for plot in study.plots:
    drawn |= plot(**asked_for(plot, offered))
  for path in (RESULTS / folder).glob("*.md"):
    if path.name != "README.md":
      assert drawn[path.name] == path.read_text(encoding="utf-8"), path.name
  pictures = {path.stem for path in (RESULTS / folder).glob("*.png")}
  assert pictures - _DRAWN_FROM_MODELS <= drawn.keys()
  for figure in drawn.values():
    if isinstance(figure, Figure):
      assert figure.get_axes()
      plt.close(figure)


_DRAWN_FROM_MODELS = {"original_change_sum"}  # by bin/visualize.py
