import base64
import json
import re
import shutil

import numpy as np
import pytest
from figure_checks import read_png
from shared_checks import tiny_data

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.export import ExportedModel
from disentangle_tf.studies import plot_score_strips
from disentangle_tf.studies.drawing import write_results
from disentangle_tf.studies.figures.models import traversals_of
from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.lease import claim
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.report import write_report

EVIL = "</script><b>"
PLANS = plan_study(
  {EVIL: ["a.gin"], "b": ["b.gin"]}, sweep={"BETA": [1, 4]}, seeds=3, metrics="m.gin"
)


def _finish(study, plan, scores, *, export=None, report=True):
  folder = study.run(plan).path
  (folder / "scores").mkdir(parents=True)
  content = {"scores": scores, "model": {"step": 10}, "versions": {"numpy": "2.4"}}
  (folder / "scores" / "scores.json").write_text(json.dumps(content))
  if report:
    (folder / "scores" / "report.html").write_text("a page")
  if export:
    shutil.copytree(export, folder / "export")


def _tables(page):
  """The contents of its tables {heading: {column: [texts or numbers]}}, and links."""
  found = {}
  pattern = 'aria-label="([^"]*)">\n<script type="application/json">(.*?)</script>'
  for heading, text in re.findall(pattern, page):
    content = json.loads(text)
    found[heading] = {
      column["name"]: [column["names"][v] for v in column["values"]]
      if "names" in column
      else column["values"]
      for column in content["columns"]
    }
    found[heading]["links"] = content["links"]
  return found


@pytest.fixture
def study(tmp_path):
  """Two runs are done, one failed, one is running; eight wait."""
  study = StudyFolder(tmp_path / "my_study")
  study.path.mkdir()
  study.write_plans(PLANS)
  study.write_configuration(f"# {EVIL}", "export")
  _finish(study, PLANS[0], {"sap": 0.5, "mig": 0.25})
  _finish(study, PLANS[4], {"sap": 0.125, "mig": 0.75}, report=False)
  failed = study.run(PLANS[1])
  failed.path.mkdir(parents=True)
  failed.log.write_text("a log")
  failed.record_failure({"exit_code": 1, "last_lines": ["Traceback", f"no {EVIL} 3"]})
  with claim(study.run(PLANS[2]).path):
    yield study


def _page(study, **options):
  path = write_report(study, PLANS, **options)
  assert path == study.path / "report.html"
  return path.read_text()


def test_the_table_has_every_run(study):
  table = _tables(_page(study))["All runs"]
  assert table["method"] == [EVIL, EVIL, "b", "b"] * 3
  assert table["setting"] == ["BETA=1", "BETA=4"] * 6
  assert table["seed"] == [0] * 4 + [1] * 4 + [2] * 4
  waiting = ["waiting"] * 7
  assert table["state"] == ["done", "failed", "running", "waiting", "done", *waiting]
  assert table["mig"] == [0.25, None, None, None, 0.75, *[None] * 7]
  assert table["sap"] == [0.5, None, None, None, 0.125, *[None] * 7]
  assert "data" not in table  # the study does not vary it
  assert table["links"][:3] == [
    "script_b_BETA_1/seed_0/scores/report.html",
    "script_b_BETA_4/seed_0/log.txt",
    "",
  ]


def test_medians_are_over_seeds(study):
  table = _tables(_page(study))["Medians over seeds"]
  assert table == {
    "run": [EVIL],
    "setting": ["BETA=1"],
    "seeds": [2],
    "mig": [0.5],
    "sap": [0.3125],
    "links": [],
  }


def test_the_page_tells_what_was_run_and_how_far_it_is(study):
  page = _page(study)
  assert "<h1>Study my_study</h1>" in page
  assert "12 runs: 2 done, 1 failed, 1 running, 8 waiting" in page
  assert "<dt>b: BETA</dt><dd>1; 4</dd>" in page
  assert "<dt>seeds</dt><dd>0 to 2</dd>" in page
  assert "<dt>versions</dt><dd>numpy 2.4</dd>" in page
  assert "<pre># &lt;/script&gt;&lt;b&gt;</pre>" in page
  assert "<b>" not in page and "http" not in page
  # The ends of two tables' data and of the script are the only ones.
  assert page.count("</script>") == 3


def test_all_versions_that_occur_are_told(study):
  for plan, version in ((PLANS[0], "2.3"), (PLANS[3], "2.4")):
    if plan is PLANS[3]:
      _finish(study, plan, {"mig": 0.5})
    path = study.run(plan).scores
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "versions": {"numpy": version}}))
  told = "numpy 2.3 (1 model) and 2.4 (2 models)"
  assert f"<dt>versions</dt><dd>{told}</dd>" in _page(study)


def test_failures_that_are_alike_are_told_once(study):
  for plan, step in ((PLANS[3], 5), (PLANS[5], 7)):
    folder = study.run(plan)
    folder.path.mkdir(parents=True)
    lines = ["Traceback", f"NaN at step {step}"]
    folder.record_failure({"exit_code": 1, "last_lines": lines})
  page = _page(study)
  first = f"{PLANS[3].run} and 1 more like it: NaN at step 5"
  assert f"<summary>{first}</summary><pre>Traceback\nNaN at step 5</pre>" in page
  assert f"{PLANS[1].run}: no &lt;/script&gt;&lt;b&gt; 3</summary>" in page
  assert page.count("<summary>") == 3  # and the configuration


def test_figures_and_tables_of_the_plots_are_within(study):
  def plot(finished):
    """What is seen."""
    strips = plot_score_strips(finished, scores={"mig": "MIG"})
    return {**strips, "words": "| a |"}

  write_results(study, PLANS, (plot,))
  page = _page(study)
  svg = base64.b64encode((study.path / "score_strips.svg").read_bytes()).decode()
  assert "<figcaption>score_strips: What is seen.</figcaption>" in page
  assert f"data:image/svg+xml;base64,{svg}" in page
  assert "<summary>words: What is seen.</summary><pre>| a |</pre>" in page
  with open(study.path / "score_strips.svg", "a") as file:
    file.write(f"<!-- {'x' * 1_000_000} -->")
  png = base64.b64encode((study.path / "score_strips.png").read_bytes()).decode()
  assert f"data:image/png;base64,{png}" in _page(study)


def _captions(page):
  """Of the best and the worst models."""
  return re.findall(r">((?:best|worst) [^<]*)<", page)


def test_the_best_and_the_worst_by_a_score(study):
  name = "&lt;/script&gt;&lt;b&gt;, BETA=1, seed"
  assert _captions(_page(study)) == [
    f"best 1: {name} 1: mig 0.750",
    f"best 2: {name} 0: mig 0.250",
  ]
  assert _captions(_page(study, score="sap"))[0] == f"best 1: {name} 0: sap 0.500"
  for number, plan in enumerate(PLANS[5:10]):
    _finish(study, plan, {"kl": float(number)})
  page = _page(study, score="kl")
  assert "Ranked by kl: the lowest is the best" in page
  values = [caption.split()[-1] for caption in _captions(page)]
  assert values == ["0.000", "1.000", "2.000", "4.000", "3.000"]
  assert _tables(page)["All runs"]["kl"][5:7] == [0.0, 1.0]


def test_each_data_set_has_a_best_and_a_worst_model(tmp_path):
  study = StudyFolder(tmp_path)
  sets = {"cars": ["c.gin"], "shapes": ["s.gin"]}
  plans = plan_study({"a": ["a.gin"]}, data=sets, seeds=3, metrics="m.gin")
  for number, plan in enumerate(plans):
    _finish(study, plan, {"mine": number / 8})
  page = write_report(study, plans).read_text()
  assert [caption.split()[-1] for caption in _captions(page)] == [
    *("0.500", "0.000"),
    *("0.625", "0.125"),
  ]
  assert "Best and worst models on cars" in page
  assert _tables(page)["All runs"]["data"] == ["cars", "shapes"] * 3


def test_traversals_are_those_of_the_export(study, exported):
  _finish(study, PLANS[8], {"mig": 1.0}, export=exported[0])
  page = _page(study)
  (content,) = re.findall('src="data:image/png;base64,(.*?)"', page)
  figure = traversals_of(ExportedModel(exported[0]), tiny_data())
  np.testing.assert_allclose(
    read_png(base64.b64decode(content)),
    read_png(plots.figure_to_png(figure)),
    atol=1e-6,
  )
  kept = "The study kept no export of this model, so it cannot be drawn."
  assert page.count(kept) == 2


def test_a_model_that_cannot_be_opened_is_named(study, exported):
  _finish(study, PLANS[8], {"mig": 1.0}, export=exported[0])
  (study.run(PLANS[8]).path / "export" / "saved_model.pb").write_bytes(b"damaged")
  assert "Not drawn: " in _page(study)


def test_a_study_that_has_not_begun_has_a_page(tmp_path):
  page = write_report(StudyFolder(tmp_path), PLANS).read_text()
  assert "12 runs: 0 done, 0 failed, 0 running, 12 waiting" in page
  tables = _tables(page)
  assert list(tables) == ["All runs"]
  assert set(tables["All runs"]["state"]) == {"waiting"}


def test_a_score_that_nobody_has_leaves_no_page(study):
  with pytest.raises(UserError, match="no run has the score 'migg'.*mig"):
    write_report(study, PLANS, score="migg")
  with pytest.raises(UserError, match="because no run is finished"):
    write_report(StudyFolder(study.path / "other"), PLANS, score="mig")
  assert not (study.path / "report.html").exists()
