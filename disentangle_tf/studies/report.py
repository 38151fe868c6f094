"""report.html: a whole study as one page.

TensorFlow is imported only if there is a model to draw.
"""

import collections
import dataclasses
import datetime
import json
import pathlib
import urllib.parse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from disentangle_tf import plots
from disentangle_tf.errors import UserError, suggest
from disentangle_tf.output_files import write_text
from disentangle_tf.studies.drawing import FIGURES, finished_runs
from disentangle_tf.studies.figures.models import open_model, traversals_of
from disentangle_tf.studies.finished_run import FinishedRun
from disentangle_tf.studies.folders import StudyFolder, failure_signature
from disentangle_tf.studies.plan import Plan, setting_text
from disentangle_tf.studies.seed_medians import seed_medians
from disentangle_tf.studies.status import read_status
from disentangle_tf.studies.titles import lower_is_better
from disentangle_tf.text import printable

REPORT = "report.html"
Model = tuple[Plan, FinishedRun | None]  # None: the run is not finished
_USUAL_SCORE = "mig"
_DRAWN = 3  # best models, and as many worst ones
_LARGEST_SVG = 1_000_000  # bytes; larger figures are shown as PNG
_LONGEST_LINE = 500  # of a log


def write_report(
  study: StudyFolder, plans: Sequence[Plan], *, score: str | None = None
) -> pathlib.Path:
  """Write report.html: what was run, the progress, and the results.

  Args:
    study: the `StudyFolder`; its runs need not be finished.
    plans: its list of `Plan`.
    score: ranks the best and the worst models; by default MIG, or else the first score
      that was measured.

  Returns:
    The file.

  Raises:
    UserError: no run has the score.
  """
  done = {each.export.parent: each for each in finished_runs(study, plans)}
  models = [(plan, done.get(study.run(plan).path)) for plan in plans]
  finished = list(done.values())
  scores = _scores(finished, score)
  parts = [
    _failures(study, plans),
    _description(models),
    _medians(finished, scores),
    _runs(study, models, scores),
    *_extremes(study, models, scores),
    *_figures(study),
    _configuration(study),
  ]
  path = study.path / REPORT
  text = plots.html_report(
    title=f"Study {study.path.resolve().name}",
    introduction=_progress(study, plans),
    parts=[part for part in parts if part],
    script=plots.SORTABLE_SCRIPT,
  )
  write_text(path, text)
  return path


def _scores(finished: Iterable[FinishedRun], chosen: str | None) -> list[str]:
  """Names of all scores, the chosen one first."""
  names = list(dict.fromkeys(name for each in finished for name in each.scores))
  if chosen is None:
    chosen = _USUAL_SCORE
  elif chosen not in names:
    known = (
      f": the scores are {', '.join(names)}"
      if names
      else ", because no run is finished"
    )
    raise UserError(f"no run has the score {chosen!r}{suggest(chosen, names)}{known}")
  return sorted(names, key=lambda name: name != chosen)


def _progress(study: StudyFolder, plans: Sequence[Plan]) -> str:
  status = dataclasses.replace(read_status(study, plans), failures=[])
  return "; ".join(status.to_text().splitlines())


def _failures(study: StudyFolder, plans: Sequence[Plan]) -> Markup | None:
  """The last lines of failed runs; runs with the same failure are listed once."""
  alike = {}
  for plan in plans:
    folder = study.run(plan)
    if folder.state == "failed":
      failure = folder.read_failure()
      found = alike.setdefault(failure_signature(failure), (plan.run, failure, []))
      found[-1].append(plan.run)
  texts = {}
  for run, failure, runs in alike.values():
    lines = [printable(each, longest=_LONGEST_LINE) for each in failure["last_lines"]]
    others = f" and {len(runs) - 1:,} more like it" if len(runs) > 1 else ""
    texts[f"{run}{others}: {lines[-1]}"] = "\n".join(lines)
  note = "The last lines of failed runs. Requeue them with bin/study.py retry."
  return plots.texts_part("Failures", note, texts) if texts else None


def _description(models: Sequence[Model]) -> Markup:
  """Methods, data sets, settings, seeds, metrics and versions of the study."""
  plans = [plan for plan, _ in models]
  sweeps = {}
  for plan in plans:
    for name, value in plan.settings.items():
      sweeps.setdefault(f"{plan.method}: {name}", []).append(repr(value))
  facts = {
    "methods": _listed(plan.method for plan in plans),
    "data sets": _listed(plan.data for plan in plans),
    **{name: _listed(values) for name, values in sweeps.items()},
    "seeds": _seeds({plan.seed for plan in plans}),
    "metrics": _listed(plan.metrics for plan in plans),
    "versions": _versions([model for _, model in models if model]),
    "written": f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M} UTC",
  }
  shown = {name: text for name, text in facts.items() if text}
  return plots.facts_part("What was run", "", shown)


def _listed(names: Iterable[str]) -> str:
  return "; ".join(filter(None, dict.fromkeys(names)))


def _seeds(seeds: set[int]) -> str:
  first, last = min(seeds), max(seeds)
  if len(seeds) > 2 and last - first == len(seeds) - 1:
    return f"{first} to {last}"
  return _listed(map(str, sorted(seeds)))


def _versions(finished: Iterable[FinishedRun]) -> str:
  """All versions that models were scored with; if several, how many models each."""
  found = {}
  for each in finished:
    for name, version in each.versions.items():
      found.setdefault(name, collections.Counter())[version] += 1
  return ", ".join(f"{name} {_counted(counts)}" for name, counts in found.items())


def _counted(counts: Mapping[str, int]) -> str:
  if len(counts) == 1:
    return next(iter(counts))
  return " and ".join(
    f"{version} ({count:,} model{'s' * (count > 1)})"
    for version, count in sorted(counts.items())
  )


def _medians(finished: Sequence[FinishedRun], scores: Sequence[str]) -> Markup | None:
  rows = seed_medians(finished)
  if not rows:
    return None
  columns = {
    "run": [model.run for model, _, _ in rows],
    "setting": [setting_text(model) for model, _, _ in rows],
    "seeds": [count for _, count, _ in rows],
    **{name: [medians.get(name) for _, _, medians in rows] for name in scores},
  }
  note = "Over the finished models that have the score."
  return plots.sortable_table_part("Medians over seeds", note, _filled(columns))


def _runs(study: StudyFolder, models: Sequence[Model], scores: Sequence[str]) -> Markup:
  """A table of all runs, finished or not."""
  plans = [plan for plan, _ in models]
  columns = {
    "method": [plan.method for plan in plans],
    "data": [plan.data for plan in plans],
    "setting": [setting_text(plan) for plan in plans],
    "seed": [plan.seed for plan in plans],
    "state": ["done" if model else study.run(plan).state for plan, model in models],
  }
  for name in scores:
    columns[name] = [model.scores.get(name) if model else None for _, model in models]
  return plots.sortable_table_part(
    "All runs",
    "Click on a column's name to sort. Methods, data sets and settings sort in the "
    "order of the study. Search for words and bounds, such as mig>0.3 or seed=2. Each "
    "run links to its report, or to its log.",
    _filled(columns),
    links=[_address(study, plan) for plan in plans],
  )


def _filled(columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
  """The columns without those that contain only empty texts."""
  return {name: values for name, values in columns.items() if set(values) != {""}}


def _address(study: StudyFolder, plan: Plan) -> str:
  """Relative address of a run's report, or else of its log; "" if it has neither."""
  folder = study.run(plan)
  for path in (folder.scores.with_name(REPORT), folder.log):
    if path.exists():
      return urllib.parse.quote(path.relative_to(study.path).as_posix())
  return ""


def _extremes(
  study: StudyFolder, models: Sequence[Model], scores: Sequence[str]
) -> list[Markup]:
  """The best and the worst models with their traversals; a part per data set."""
  if not scores:
    return []
  sets = dict.fromkeys(plan.data for plan, _ in models)
  count = _DRAWN if len(sets) == 1 else 1
  parts = []
  for data in sets:
    chosen = [
      (plan, model)
      for plan, model in models
      if plan.data == data and model and scores[0] in model.scores
    ]
    if chosen:
      parts.append(_extremes_of_set(study, chosen, scores[0], count))
  return parts


def _extremes_of_set(
  study: StudyFolder,
  models: Sequence[tuple[Plan, FinishedRun]],
  score: str,
  count: int,
) -> Markup:
  lower = lower_is_better(score)
  ranked = sorted(models, key=lambda pair: pair[1].scores[score], reverse=not lower)
  shown, links = {}, {}
  best, worst = ranked[:count], ranked[count:][-count:]
  for word, chosen in (("best", best), ("worst", worst[::-1])):
    for place, (plan, model) in enumerate(chosen, start=1):
      name = ", ".join(filter(None, [model.run, setting_text(plan)]))
      caption = (
        f"{word} {place}: {name}, seed {plan.seed}: {score} {model.scores[score]:.3f}"
      )
      shown[caption] = _traversals(model)
      links[caption] = _address(study, plan)
  data = models[0][0].data
  return plots.pictures_part(
    f"Best and worst models{f' on {data}' if data else ''}",
    f"Ranked by {score}: the {'lowest' if lower else 'highest'} is the best. One row "
    "per latent, from its smallest to its largest code, most active first.",
    shown,
    links=links,
  )


def _traversals(model: FinishedRun) -> bytes | str:
  """PNG bytes, or the reason why there is no picture."""
  if not model.export.exists():
    return "The study kept no export of this model, so it cannot be drawn."
  from disentangle_tf import pictures

  try:
    opened, data = open_model(model)
    pictures.check_drawable(data)
    return plots.figure_to_png(traversals_of(opened, data))
  except UserError as error:
    return f"Not drawn: {printable(error)}"


def _figures(study: StudyFolder) -> list[Markup]:
  """The figures and tables of the study's plots."""
  path = study.path / FIGURES
  captions = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
  pictures, texts = {}, {}
  for name, words in captions.items():
    file = study.path / name
    if not file.exists():  # it was moved away
      continue
    caption = f"{file.stem}: {words}" if words else file.stem
    if file.suffix == ".md":
      texts[caption] = file.read_text(encoding="utf-8")
    else:
      too_large = file.stat().st_size > _LARGEST_SVG
      pictures[caption] = file.with_suffix(".png" if too_large else ".svg").read_bytes()
  note = "From the last bin/study.py run or plot."
  return [
    *([plots.pictures_part("Figures", note, pictures)] if pictures else []),
    *([plots.texts_part("Tables", note, texts)] if texts else []),
  ]


def _configuration(study: StudyFolder) -> Markup | None:
  if not study.configuration.exists():
    return None
  text = study.configuration.read_text(encoding="utf-8")
  return plots.texts_part("Configuration", "", {study.configuration.name: text})
