"""What a study will draw is tried out before it trains."""

import json
import pathlib
import sys

import pytest

from disentangle_tf.commands import study as study_command
from disentangle_tf.errors import UserError
from disentangle_tf.studies import (
  FinishedRun,
  plot_levels,
  plot_score_curves,
  plot_score_strips,
  plot_traversals,
)
from disentangle_tf.studies.drawing import (
  asked_for,
  finished_runs,
  rehearse,
  scores_table,
  write_results,
)
from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.results_table import planned_models

PLANS = plan_study({"a": ["a.gin"]}, sweep={"BETA": [1, 2]}, seeds=2, metrics="m.gin")


def _curves(over="BETA", **options):
  return lambda finished: plot_score_curves(finished, over=over, label="x", **options)


def test_what_can_be_drawn():
  rehearse(_curves(), PLANS, ["mig", "disentanglement"])
  rehearse(_curves(scores={"mine": "Mine"}), PLANS, ["mine"])
  rehearse(_curves(scores={"mine": "Mine"}), PLANS, None)  # perhaps there is one
  rehearse(plot_levels, PLANS, ["mig"])  # needs models, which are not there yet
  rehearse(plot_traversals, PLANS, ["mig"])


@pytest.mark.parametrize(
  ("plot", "message"),
  [
    (_curves(over="ALPHA"), r"ALPHA was not swept \(but \['BETA'\] were\)"),
    (_curves(), r"there is no score 'disentanglement' \(but mig, sap\)"),
    (lambda finished: plot_levels(finished, num_traversals=0), "num_traversals is 0"),
    (lambda finished: plot_traversals(finished, num_latents=0), "num_latents is 0"),
  ],
)
def test_what_cannot(plot, message):
  with pytest.raises(UserError, match=message):
    rehearse(plot, PLANS, ["mig", "sap"])


def test_a_table_to_come_is_made_up():
  seen = []

  def plot(table):
    seen.append(table)
    return {}

  rehearse(plot, PLANS, ["mig", "sap"])
  rehearse(plot, PLANS, None)  # nothing is known of its scores
  (table,) = seen
  assert (
    sorted(table["score"].unique()) == ["mig", "sap"] and table["run"].nunique() == 4
  )
  assert sorted(table["setting"].unique()) == ["BETA=1", "BETA=2"]
  assert len(set(table["value"])) == 8


MY_MIG = """
from __gin__ import dynamic_registration
from disentangle_tf import evaluation
from disentangle_tf import metrics
from disentangle_tf import scoring
evaluation.evaluate.measurements = (@scoring.Measurement(),)
scoring.Measurement.metric = @metrics.mig
scoring.Measurement.prefix = "my_"
"""


@pytest.mark.parametrize(
  ("figure", "bindings", "message"),
  [
    (
      "figure_9",
      ["studies.plot_score_curves.over = 'GAMMA'"],
      "GAMMA was not swept (but ['data.XYSquares.grid_spacing', 'BETA'] were)",
    ),
    (
      "figure_11",
      ["studies.Study.metrics = '{folder}/mig.gin'"],
      "plot_score_violins needs one of mig, disentanglement; the table has my_mig",
    ),
    (
      "figure_11",
      ["studies.plot_score_strips.scores = {{'sap': 'SAP'}}"],
      "there is no score 'sap' (but mig, disentanglement, completeness,",
    ),
    (
      "figure_11",
      ["studies.Study.metrics = 'fats'"],
      "there is no protocol 'fats'",
    ),
    (
      "figure_11",
      ["studies.Study.metrics = 'gin/data/dsprites.gin'"],
      "gin/data/dsprites.gin sets no evaluation.evaluate.measurements",
    ),
  ],
)
def test_a_wrong_plot_costs_one_line(
  figure, bindings, message, tmp_path, monkeypatch, capfd
):
  (tmp_path / "mig.gin").write_text(MY_MIG)
  words = ["--gin_file", f"gin/studies/michlo_{figure}.gin"]
  for binding in bindings:
    words += ["--gin_bindings", binding.format(folder=tmp_path)]
  words += ["--output_dir", str(tmp_path / "out")]
  monkeypatch.setattr(sys, "argv", ["study.py", *words])
  with pytest.raises(SystemExit) as stopped:
    study_command.main()
  assert stopped.value.code == 2
  (line,) = capfd.readouterr().err.strip().splitlines()
  assert message in line
  assert not (tmp_path / "out").exists()


def _finish(study, plan, mig):
  folder = study.run(plan).path
  (folder / "scores").mkdir(parents=True)
  content = {"scores": {"mig": mig}, "model": {"step": 10}}
  (folder / "scores" / "scores.json").write_text(json.dumps(content))


def test_the_table_and_the_figures_say_what_they_lack(tmp_path):
  study = StudyFolder(tmp_path)
  assert write_results(study, PLANS, ()) == (0, [])
  _finish(study, PLANS[0], 0.25)
  _finish(study, PLANS[2], 0.75)
  asked, made = [], []

  def plot(finished):
    """Strips of a study.

    And more.
    """
    made.append(plot_score_strips(finished, scores={"mig": "MIG"}))
    return made[-1]

  def plot_table(table):
    asked.append(table)
    return {"words": f"{table['run'].nunique()} models"}

  def plot_more(finished):
    raise UserError("it takes more models")

  count, (error,) = write_results(study, PLANS, (plot, plot_more, plot_table))
  assert count == 2 and str(error) == "it takes more models"
  assert (tmp_path / "scores.md").read_text().splitlines() == [
    "**2 of 4 models are missing**",
    "",
    "| run | BETA | seeds | mig |",
    "|---|---|---|---|",
    "| a | 1 | 2 | 0.500 |",
  ]
  (text,) = made[0]["score_strips"].texts
  assert text.get_text() == "2 of 4 models are missing"
  assert (tmp_path / "score_strips.svg").exists()
  assert (tmp_path / "words.md").read_text() == "2 models"
  captions = json.loads((tmp_path / "figures.json").read_text())
  assert captions == {"score_strips.svg": "Strips of a study.", "words.md": ""}
  (table,) = asked
  assert planned_models(table) == 4
  assert table["value"].tolist() == [0.25, 0.75]
  assert sorted(table["setting"].unique()) == ["BETA=1"] and sorted(
    table["step"].unique()
  ) == [10]


def test_a_table_alone_has_no_runs_to_offer():
  with pytest.raises(UserError, match="plot_score_strips needs the runs, which"):
    asked_for(plot_score_strips, {"table": None})


def test_finished_runs_know_their_data_set(tmp_path):
  study = StudyFolder(tmp_path)
  (plan,) = plan_study({"a": ["a.gin"]}, data={"cars": ["c.gin"]}, metrics="m.gin")
  _finish(study, plan, 0.5)
  (found,) = finished_runs(study, [plan])
  assert found.run == "a, cars"


def test_finished_runs_are_those_with_scores(tmp_path):
  study = StudyFolder(tmp_path)
  _finish(study, PLANS[1], 0.5)
  (found,) = finished_runs(study, PLANS)
  assert (found.run, found.settings, found.seed) == ("a", {"BETA": 2}, 0)
  assert found.export == tmp_path / "a_BETA_2" / "seed_0" / "export"
  assert found.scores == {"mig": 0.5}


def test_the_table_has_medians_of_what_all_have():
  finished = [
    FinishedRun("a", {"BETA": 1}, seed, pathlib.Path(), {"mig": mig, "sap": 0.0})
    for seed, mig in enumerate([0.1, 0.9, 0.2])
  ] + [FinishedRun("b", {"BETA": 1}, 0, pathlib.Path(), {"mig": 0.5})]
  assert scores_table(finished).splitlines() == [
    "| run | BETA | seeds | mig |",
    "|---|---|---|---|",
    "| a | 1 | 3 | 0.200 |",
    "| b | 1 | 1 | 0.500 |",
  ]
