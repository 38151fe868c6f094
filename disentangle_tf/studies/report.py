"""report.html: a whole study as one page.

TensorFlow is imported only if there is a model to draw.
"""

import collections
import dataclasses
import datetime
import json
import urllib.parse

from disentangle_tf import plots
from disentangle_tf.errors import UserError, suggest
from disentangle_tf.output_files import write_text
from disentangle_tf.strangers_text import printable
from disentangle_tf.studies.plan import setting_text
from disentangle_tf.studies.plotting_models import open_model, traversals_of
from disentangle_tf.studies.run_folder import failure_signature
from disentangle_tf.studies.score_direction import lower_is_better
from disentangle_tf.studies.seed_medians import seed_medians
from disentangle_tf.studies.status import read_status
from disentangle_tf.studies.write_results import FIGURES, finished_runs

REPORT = "report.html"
_USUAL_SCORE = "mig"
_DRAWN = 3  # of the best models, and of the worst ones
_LARGEST_SVG = 1_000_000  # bytes; a picture of more is shown as PNG
_LONGEST_LINE = 500  # of a log


def write_report(study, plans, *, score=None):
  """Writes report.html: what was run, how far it is, and what came out.

  Args:
    study: the `StudyFolder`; none of its runs need be done.
    plans: its [`Plan`].
    score: by which models are the best or the worst; by default MIG, or else the first
      that was measured.

  Returns:
    The file.
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


def _scores(finished, chosen):
  """Names of all scores, the chosen one first."""
  names = list(dict.fromkeys(name for each in finished for name in each.scores))
  if chosen is None:
    chosen = _USUAL_SCORE
  elif chosen not in names:
    known = f": there are {', '.join(names)}" if names else ", for none is done"
    raise UserError(f"no run has the score {chosen!r}{suggest(chosen, names)}{known}")
  return sorted(names, key=lambda name: name != chosen)


def _progress(study, plans):
  status = dataclasses.replace(read_status(study, plans), failures=[])
  return "; ".join(status.to_text().splitlines())


def _failures(study, plans):
  """What failed runs said last; those that failed alike are told once."""
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
  note = "The end of what they said. bin/study.py retry lets them wait again."
  return plots.texts_part("Failures", note, texts) if texts else None


def _description(models):
  """What was run, with what."""
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


def _listed(names):
  return "; ".join(filter(None, dict.fromkeys(names)))


def _seeds(seeds):
  first, last = min(seeds), max(seeds)
  if len(seeds) > 2 and last - first == len(seeds) - 1:
    return f"{first} to {last}"
  return _listed(map(str, sorted(seeds)))


def _versions(finished):
  """All versions that models were scored with; of several, how many with each."""
  found = {}
  for each in finished:
    for name, version in each.versions.items():
      found.setdefault(name, collections.Counter())[version] += 1
  return ", ".join(f"{name} {_counted(counts)}" for name, counts in found.items())


def _counted(counts):
  if len(counts) == 1:
    return next(iter(counts))
  return " and ".join(
    f"{version} ({count:,} model{'s' * (count > 1)})"
    for version, count in sorted(counts.items())
  )


def _medians(finished, scores):
  rows = seed_medians(finished)
  if not rows:
    return None
  columns = {
    "run": [model.run for model, _, _ in rows],
    "setting": [setting_text(model) for model, _, _ in rows],
    "seeds": [count for _, count, _ in rows],
    **{name: [medians.get(name) for _, _, medians in rows] for name in scores},
  }
  note = "Of the models that are done and have the score."
  return plots.sortable_table_part("Medians over seeds", note, _filled(columns))


def _runs(study, models, scores):
  """Every run, whether it is done or not."""
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
    "A click on a column's name sorts by it; methods, data sets and settings are in "
    "the order of the study. The search takes words and bounds, such as mig>0.3 or "
    "seed=2. Each run leads to its own report, or to its log.",
    _filled(columns),
    links=[_address(study, plan) for plan in plans],
  )


def _filled(columns):
  """The columns but those of empty texts."""
  return {name: values for name, values in columns.items() if set(values) != {""}}


def _address(study, plan):
  """Where more is told of a run, from the page's folder on; "" if nowhere."""
  folder = study.run(plan)
  for path in (folder.scores.with_name(REPORT), folder.log):
    if path.exists():
      return urllib.parse.quote(path.relative_to(study.path).as_posix())
  return ""


def _extremes(study, models, scores):
  """The best and the worst models, each with its traversals; a part per data set."""
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


def _extremes_of_set(study, models, score, count):
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
    f"By {score}, of which the {'lowest' if lower else 'highest'} counts as the best. "
    "Each row is a latent that moves from its least to its largest code, the most used "
    "first.",
    shown,
    links=links,
  )


def _traversals(model):
  """PNG bytes, or why there is no picture."""
  if not model.export.exists():
    return "The study kept no export of this model, so it cannot be drawn."
  from disentangle_tf import pictures

  try:
    opened, data = open_model(model)
    pictures.check_drawable(data)
    return plots.figure_to_png(traversals_of(opened, data))
  except UserError as error:
    return f"Not drawn: {printable(error)}"


def _figures(study):
  """What the study's plots made, figures and tables."""
  path = study.path / FIGURES
  captions = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
  pictures, texts = {}, {}
  for name, words in captions.items():
    file = study.path / name
    if not file.exists():  # somebody has moved it away
      continue
    caption = f"{file.stem}: {words}" if words else file.stem
    if file.suffix == ".md":
      texts[caption] = file.read_text(encoding="utf-8")
    else:
      too_large = file.stat().st_size > _LARGEST_SVG
      pictures[caption] = file.with_suffix(".png" if too_large else ".svg").read_bytes()
  note = "As bin/study.py run or plot made them last."
  return [
    *([plots.pictures_part("Figures", note, pictures)] if pictures else []),
    *([plots.texts_part("Tables", note, texts)] if texts else []),
  ]


def _configuration(study):
  if not study.configuration.exists():
    return None
  text = study.configuration.read_text(encoding="utf-8")
  return plots.texts_part("Configuration", "", {study.configuration.name: text})
