"""Every committed results.parquet draws its study's figures again, without a model."""

import matplotlib.pyplot as plt
import pytest
from command_calls import ROOT
from matplotlib.figure import Figure

from disentangle_tf.commands.metric_settings import plan_text
from disentangle_tf.commands.study_configuration import read_study
from disentangle_tf.studies.drawing import asked_for, scores_table
from disentangle_tf.studies.planned_results import finished_in_table, planned_results
from disentangle_tf.studies.results_files import merge_results, read_results_file

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
# Claims of docs/papers.md: {folder of claims.md: (file of its plot, tables)}.
CLAIMS = {
  "michlo/figure_9": ("michlo_figure_9", ["michlo/figure_9"]),
  "michlo/figure_11": ("michlo_figure_11", ["michlo/figure_11"]),
  "mathieu/figure_2": (
    "mathieu_figure_2",
    ["mathieu/figure_2", "mathieu/figure_2_student_t"],
  ),
}
_DRAWN_FROM_MODELS = {"original_change_sum"}  # by bin/visualize.py


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
    if path.name not in ("README.md", *(["claims.md"] if folder in CLAIMS else [])):
      assert drawn[path.name] == path.read_text(encoding="utf-8"), path.name
  pictures = {path.stem for path in (RESULTS / folder).glob("*.png")}
  assert pictures - _DRAWN_FROM_MODELS <= drawn.keys()
  for figure in drawn.values():
    if isinstance(figure, Figure):
      assert figure.get_axes()
      plt.close(figure)


@pytest.mark.parametrize("folder", CLAIMS)
def test_verdicts_come_from_the_committed_scores(folder):
  name, tables = CLAIMS[folder]
  study, _ = read_study([f"gin/studies/figures/{name}.gin"], [])
  merged = merge_results({each: read_results_file(RESULTS / each) for each in tables})
  found = planned_results(merged, study.plans(plan_text))
  assert not found.left_out
  (plot,) = study.plots
  drawn = plot(found.results.table)
  plt.close(drawn["claims"])
  assert drawn["claims.md"] == (RESULTS / folder / "claims.md").read_text("utf-8")
