"""What a study will draw is tried out before it trains."""

import sys

import pytest

from disentangle_tf.commands import study as study_command
from disentangle_tf.errors import UserError
from disentangle_tf.studies import plot_levels, plot_score_curves, plot_traversals
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.rehearsal import rehearse

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
evaluation.evaluate.measurements = (@evaluation.Measurement(),)
evaluation.Measurement.metric = @metrics.mig
evaluation.Measurement.prefix = "my_"
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
