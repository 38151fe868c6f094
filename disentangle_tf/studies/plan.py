"""Plan a study: every method, setting, data set and seed."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import itertools
import json
import re
from collections.abc import Mapping

from disentangle_tf.arguments import check_count
from disentangle_tf.errors import UserError
from disentangle_tf.studies.finished_run import run_label


def folder_name(label: str, settings: Mapping[str, object]) -> str:
  """A name for the folder of a run at some settings, safe in any file system."""
  words = [label, *(f"{name.split('.')[-1]} {v}" for name, v in settings.items())]
  return "_".join(re.sub(r"[^\w.-]+", "_", word).strip("_.") for word in words)


_FIELDS_OF_A_RUN = ("files", "bindings", "sweep")
_FIELDS_OF_DATA = ("files", "settings")


@dataclasses.dataclass(frozen=True)
class Plan:
  """One model to train and score.

  Attributes:
    run: its folder within the study.
    method: label of what is swept, such as "beta-VAE".
    data: label of the data set; "" if the study does not vary it.
    settings: {gin binding: value} of the sweep.
    strength: position of the settings within their method's own sweep.
    seed: of the training.
    files: gin files of the run, later ones win.
    bindings: gin bindings that override them.
    metrics: name of a protocol, or gin file, of the metrics.
    key: sha256 of all that decides the result, see `plan_study`.
    said: sha256 of what the gin files and bindings say, without the contents.
    contents: {name: hash} of the files and protocols that they name.
    function: of a method that is a Python function its full name, in place of files.

  Example:
    >>> from disentangle_tf import studies
    >>> files = ["gin/runs/demo_mse.gin"]
    >>> study = studies.Study({"beta-VAE": files}, sweep={"BETA": [1, 4]}, seeds=2)
    >>> [(plan.run, plan.strength, plan.seed) for plan in study.plans()][-1]
    ('beta-VAE_BETA_4/seed_1', 1, 1)
  """

  run: str
  method: str
  data: str
  settings: dict
  strength: int
  seed: int
  files: tuple
  bindings: tuple
  metrics: str
  key: str
  said: str = ""
  contents: dict = dataclasses.field(default_factory=dict)
  function: str = ""

  def to_json(self):
    """The plan as a dictionary that `from_json` turns back."""
    return dataclasses.asdict(self)

  @classmethod
  def from_json(cls, content):
    """The plan that `to_json` described."""
    lists = {name: tuple(content[name]) for name in ("files", "bindings")}
    return cls(**{**content, **lists})


def plan_study(
  runs,
  *,
  data=None,
  sweep=None,
  seeds=1,
  files=(),
  bindings=(),
  metrics,
  read=str,
  contents=lambda text: {},
):
  """All `Plan`s of a study, the seeds varying slowest.

  After one part in `seeds` of the time every cell of every figure has a model.

  Args:
    runs: {method: [gin files]}, or {method: {"files": [gin files], "bindings": [gin
      bindings], "sweep": {gin binding: [values]}}} for a method with settings and a
      sweep of its own; `bindings` of the study override those of the method. A Python
      function in place of the files takes the swept settings and the seed, and gives a
      `Run`.
    data: {label: [gin files]} of data sets, on each of which every run is trained, or
      {label: {"files": [gin files], "settings": {gin binding: value}}}.
    sweep: {gin binding: [values]} of every method; every combination is tried.
    seeds: how many, from 0, or a list of them.
    files: gin files that every run reads last.
    bindings: gin bindings of every run, such as "STEPS=100".
    metrics: name of a protocol, or gin file, of the metrics.
    read: function of gin files that gives what they say as one text; a run's key
      follows from it, from the bindings and from what `metrics` says.
    contents: function of such a text that gives {name: hash} of the files and protocols
      that it names, which the key follows from as well.

  Returns:
    [`Plan`]; a `UserError` if two of them would share a folder.
  """
  seeds = _seeds(seeds)
  _check_lists(files=files, bindings=bindings)
  _check_functions(runs, data=data, files=files, bindings=bindings)
  cells = list(_cells(_runs(runs), _data(data), _sweep("sweep", sweep or {})))
  texts = functools.cache(lambda listed: read(list(listed)))
  contents = functools.cache(contents)
  plans = []
  for seed, (method, label, run, place, settings, strength) in itertools.product(
    seeds, cells
  ):
    own = run["files"]
    function = full_name(own) if callable(own) else ""
    read_last = () if function else (*own, *place["files"], *files)
    bound = (
      *run["bindings"],
      *bindings,
      *(f"{name}={value!r}" for name, value in place["settings"].items()),
      *(f"{name}={value!r}" for name, value in settings.items()),
      f"SEED={seed}",
    )
    measured = () if function else (metrics,)  # a function names its own metrics
    said = said_by(function or texts(read_last), bound, texts(measured))
    named = {}
    for text in (texts(read_last), texts(measured), *bound):
      named |= contents(text)
    plans.append(
      Plan(
        run="/".join(
          filter(None, [folder_name(label, {}), folder_name(method, settings)])
        )
        + f"/seed_{seed}",
        method=method,
        data=label,
        settings=settings,
        strength=strength,
        seed=seed,
        files=read_last,
        bindings=bound,
        metrics=metrics,
        # Without contents it is the key that earlier versions computed.
        key=_hash(json.dumps([said, named], sort_keys=True)) if named else said,
        said=said,
        contents=named,
        function=function,
      )
    )
  _check_different(plan.run for plan in plans)
  _check_labels(plans)
  return plans


def full_name(function):
  """The module and name of a Python function, such as "mine.beta_vae"."""
  return f"{function.__module__}.{function.__qualname__}"


def said_by(files, bindings, metrics):
  """The `said` of a `Plan`.

  Args:
    files, metrics: text of its gin files, and of that of the metrics.
    bindings: its bindings.
  """
  return _hash(json.dumps([_hash(files), bindings, _hash(metrics)]))


def first_of_each(plans):
  """[`Plan`], the first of each method on each data set."""
  found = {}
  for plan in plans:
    found.setdefault((plan.method, plan.data), plan)
  return list(found.values())


def setting_text(plan):
  """The swept settings of a `Plan` or `FinishedRun`, such as "BETA=4.0, LATENTS=9"."""
  return ", ".join(f"{name}={value!r}" for name, value in plan.settings.items())


def _cells(runs, data, shared):
  """(method, data label, the run, the data, settings, strength) in order."""
  for label, place in data.items():
    for method, run in runs.items():
      for strength, settings in enumerate(_combinations({**shared, **run["sweep"]})):
        yield method, label, run, place, settings, strength


def _runs(runs):
  """{method: {"files": ..., "bindings": ..., "sweep": ...}} of what the user wrote."""
  if not isinstance(runs, dict) or not runs:
    raise UserError(f"study: runs is {runs!r}, must be {{label: [gin files]}}")
  found = {}
  for label, run in runs.items():
    described = run if isinstance(run, dict) else {"files": run}
    _check_fields(f"run {label!r}", described, _FIELDS_OF_A_RUN)
    own = described.get("files")
    if not callable(own) and not isinstance(own, list | tuple):
      raise UserError(
        f"study: run {label!r} is {run!r}, must be a list of gin files or a function"
      )
    sweep = _sweep(f"sweep of {label!r}", described.get("sweep", {}))
    bindings = described.get("bindings", ())
    _check_lists(**{f"bindings of {label!r}": bindings})
    found[label] = {
      "files": own if callable(own) else tuple(own),
      "bindings": tuple(bindings),
      "sweep": sweep,
    }
  return found


def _data(data):
  """{label: {"files": ..., "settings": ...}} of what the user wrote."""
  if data is None:
    return {"": {"files": (), "settings": {}}}
  if not isinstance(data, dict) or not data:
    raise UserError(f"study: data is {data!r}, must be {{label: [gin files]}}")
  found = {}
  for label, given in data.items():
    described = given if isinstance(given, dict) else {"files": given}
    _check_fields(f"data {label!r}", described, _FIELDS_OF_DATA)
    files, settings = described.get("files"), described.get("settings", {})
    if not isinstance(files, list | tuple):
      raise UserError(f"study: data {label!r} is {given!r}, must be a list of files")
    if not isinstance(settings, dict):
      raise UserError(
        f"study: settings of data {label!r} are {settings!r}, must be "
        "{gin binding: value}"
      )
    found[label] = {"files": tuple(files), "settings": settings}
  return found


def _check_fields(whose, described, known):
  for field in described:
    if field not in known:
      raise UserError(f"study: {whose} has {field!r}: it may have {known}")


def _sweep(name, sweep):
  if not isinstance(sweep, dict):
    raise UserError(f"study: {name} is {sweep!r}, must be {{gin binding: [values]}}")
  for binding, values in sweep.items():
    if not isinstance(values, list | tuple) or not values:
      raise UserError(f"study: {name}, {binding} is {values!r}, must be a list")
  return sweep


def _seeds(seeds):
  if isinstance(seeds, list | tuple):
    if not seeds or not all(type(seed) is int and seed >= 0 for seed in seeds):
      raise UserError(f"study: seeds is {list(seeds)}, must be whole numbers from 0 up")
    return tuple(seeds)
  check_count("study", seeds=seeds)
  return tuple(range(seeds))


def _check_lists(**lists):
  for name, listed in lists.items():
    if not isinstance(listed, list | tuple):
      raise UserError(f"study: {name} is {listed!r}, must be a list")


def _check_functions(runs, **of_gin_files):
  """Raises a `UserError` for settings that a Python function would not read."""
  found = [run for run in _runs(runs).values() if callable(run["files"])]
  if not found:
    return
  of_runs = [binding for run in found for binding in run["bindings"]]
  of_gin_files["bindings"] = [*of_gin_files["bindings"], *of_runs]
  for name, value in of_gin_files.items():
    if value:
      raise UserError(
        f"study: {name} is for methods that are gin files: a method that is a Python "
        "function makes its data and model itself"
      )


def _combinations(sweep):
  products = itertools.product(*sweep.values())
  return [dict(zip(sweep, values, strict=True)) for values in products]


def _check_different(names):
  seen = set()
  for name in names:
    if name in seen:
      raise UserError(f"study: two runs would share the folder {name}: rename one")
    seen.add(name)


def _check_labels(plans):
  """Two methods that figures would call alike would be pooled there."""
  labels = {}
  for plan in plans:
    pair = plan.method, plan.data
    if labels.setdefault(run_label(plan), pair) != pair:
      raise UserError(
        f"study: two runs would be called {run_label(plan)!r} in figures: rename a "
        "method or a data set"
      )


def _hash(text):
  return hashlib.sha256(text.encode()).hexdigest()
