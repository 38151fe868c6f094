"""Plan a study: every method, setting, data set and seed."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from disentangle_tf.arguments import check_count
from disentangle_tf.errors import UserError
from disentangle_tf.studies.finished_run import run_label

if TYPE_CHECKING:
  from disentangle_tf.studies.finished_run import FinishedRun


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
    run: name of the run: its folder within the study.
    method: label of the method, such as "beta-VAE".
    data: label of the data set; "" if the study does not vary it.
    settings: {gin binding: value} of the sweep.
    strength: position of the settings within their method's own sweep.
    seed: of the training.
    files: gin files of the run; later ones win.
    bindings: gin bindings that override them.
    metrics: name of a protocol, or gin file, of the metrics.
    key: sha256 of everything that determines the result, see `plan_study`.
    said: sha256 of the text of gin files, bindings and metrics, without `contents`.
    contents: {name: hash} of the files and protocols that the text names.
    function: full name of a method that is a Python function, which has no files.

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
  settings: dict[str, Any]
  strength: int
  seed: int
  files: tuple[str, ...]
  bindings: tuple[str, ...]
  metrics: str
  key: str
  said: str = ""
  contents: dict[str, str] = dataclasses.field(default_factory=dict)
  function: str = ""

  def to_json(self) -> dict[str, Any]:
    """The plan as JSON; `from_json` is the inverse."""
    return dataclasses.asdict(self)

  @classmethod
  def from_json(cls, content: Mapping[str, Any]) -> Plan:
    """The plan that `to_json` described."""
    lists = {name: tuple(content[name]) for name in ("files", "bindings")}
    return cls(**{**content, **lists})


def no_contents(text: str) -> dict[str, str]:
  """The `contents` of `plan_study` by default: none."""
  del text
  return {}


def plan_study(
  runs: Mapping[str, Any],
  *,
  data: Mapping[str, Any] | None = None,
  sweep: Mapping[str, Sequence] | None = None,
  seeds: int | list[int] | tuple[int, ...] = 1,
  files: Sequence[str] = (),
  bindings: Sequence[str] = (),
  metrics: str,
  read: Callable[[list[str]], str] = str,
  contents: Callable[[str], dict[str, str]] = no_contents,
) -> list[Plan]:
  """All `Plan`s of a study, ordered by seed.

  So after 1 / `seeds` of the time every cell of every figure has a model.

  Args:
    runs: {method: [gin files]}, or {method: {"files": [gin files], "bindings": [gin
      bindings], "sweep": {gin binding: [values]}}} for a method with its own settings
      and sweep; `bindings` of the study override those of the method. In place of the
      files, a Python function takes the swept settings and the seed, and returns a
      `Run`.
    data: {label: [gin files]} of data sets, on each of which every run is trained, or
      {label: {"files": [gin files], "settings": {gin binding: value}}}.
    sweep: {gin binding: [values]} of every method; every combination is trained.
    seeds: number of seeds, counted from 0, or a list of seeds.
    files: gin files that every run reads last.
    bindings: gin bindings of every run, such as "STEPS=100".
    metrics: name of a protocol, or gin file, of the metrics.
    read: function of gin files, or of the name of a protocol, that returns their text.
      The key of a run is computed from this text, the bindings and the contents.
    contents: function of such a text that returns {name: hash} of the files and
      protocols that it names.

  Raises:
    UserError: two runs would share a folder or a label.
  """
  seeds = _seeds(seeds)
  _check_lists(files=files, bindings=bindings)
  _check_functions(runs, data=data, files=files, bindings=bindings)
  cells = list(_cells(_runs(runs), _data(data), _sweep("sweep", sweep or {})))
  texts = functools.cache(lambda listed: read(list(listed)))
  contents = functools.cache(contents)
  plans = []
  for seed, cell in itertools.product(seeds, cells):
    function, read_last = "", ()
    if callable(cell.run.files):
      function = full_name(cell.run.files)
    else:
      read_last = (*cell.run.files, *cell.place.files, *files)
    bound = _bindings(cell, bindings, seed)
    measured = () if function else (metrics,)  # a function names its own metrics
    said = said_by(function or texts(read_last), bound, texts(measured))
    named = {}
    for text in (texts(read_last), texts(measured), *bound):
      named |= contents(text)
    plans.append(
      Plan(
        run=f"{cell.folder}/seed_{seed}",
        method=cell.method,
        data=cell.data,
        settings=cell.settings,
        strength=cell.strength,
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


def full_name(function: Callable) -> str:
  """The module and name of a Python function, such as "mine.beta_vae"."""
  return f"{function.__module__}.{function.__qualname__}"


def said_by(files: str, bindings: Sequence[str], metrics: str) -> str:
  """The `said` of a `Plan`.

  Args:
    files, metrics: text of its gin files, and of the gin file of the metrics.
    bindings: its bindings.
  """
  return _hash(json.dumps([_hash(files), bindings, _hash(metrics)]))


def first_of_each(plans: Iterable[Plan]) -> list[Plan]:
  """[`Plan`], the first of each method on each data set."""
  found = {}
  for plan in plans:
    found.setdefault((plan.method, plan.data), plan)
  return list(found.values())


def setting_text(plan: Plan | FinishedRun) -> str:
  """The swept settings of a `Plan` or `FinishedRun`, such as "BETA=4.0, LATENTS=9"."""
  return ", ".join(f"{name}={value!r}" for name, value in plan.settings.items())


@dataclasses.dataclass(frozen=True)
class _Run:
  """A method of `plan_study`, checked."""

  files: tuple[str, ...] | Callable
  bindings: tuple[str, ...]
  sweep: Mapping[str, Sequence]


@dataclasses.dataclass(frozen=True)
class _Data:
  """A data set of `plan_study`, checked."""

  files: tuple[str, ...] = ()
  settings: Mapping[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class _Cell:
  """A method at one setting on one data set."""

  method: str
  data: str
  run: _Run
  place: _Data
  settings: dict[str, Any]
  strength: int

  @property
  def folder(self) -> str:
    """The folder of its runs."""
    names = [folder_name(self.data, {}), folder_name(self.method, self.settings)]
    return "/".join(filter(None, names))


def _cells(
  runs: Mapping[str, _Run], data: Mapping[str, _Data], shared: Mapping[str, Sequence]
) -> Iterator[_Cell]:
  """Every setting of every method on every data set, in this order from the inside."""
  for label, place in data.items():
    for method, run in runs.items():
      for strength, settings in enumerate(_combinations({**shared, **run.sweep})):
        yield _Cell(method, label, run, place, settings, strength)


def _bindings(cell: _Cell, bindings: Sequence[str], seed: int) -> tuple[str, ...]:
  """The bindings of a run; later ones win."""
  settings = (*cell.place.settings.items(), *cell.settings.items())
  return (
    *cell.run.bindings,
    *bindings,
    *(f"{name}={value!r}" for name, value in settings),
    f"SEED={seed}",
  )


def _runs(runs: object) -> dict[str, _Run]:
  """{method: `_Run`} of the `runs` of `plan_study`."""
  if not isinstance(runs, dict) or not runs:
    raise UserError(f"study: runs is {runs!r}, must be {{label: [gin files]}}")
  found = {}
  for label, run in runs.items():
    described = run if isinstance(run, dict) else {"files": run}
    _check_fields(f"run {label!r}", described, _FIELDS_OF_A_RUN)
    files = described.get("files")
    if not callable(files) and not isinstance(files, list | tuple):
      raise UserError(
        f"study: run {label!r} is {run!r}, must be a list of gin files or a function"
      )
    sweep = _sweep(f"sweep of {label!r}", described.get("sweep", {}))
    bindings = described.get("bindings", ())
    _check_lists(**{f"bindings of {label!r}": bindings})
    found[label] = _Run(
      files if callable(files) else tuple(files), tuple(bindings), sweep
    )
  return found


def _data(data: object) -> dict[str, _Data]:
  """{label: `_Data`} of the `data` of `plan_study`."""
  if data is None:
    return {"": _Data()}
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
    found[label] = _Data(tuple(files), settings)
  return found


def _check_fields(
  whose: str, described: Mapping[str, Any], known: Sequence[str]
) -> None:
  for field in described:
    if field not in known:
      raise UserError(f"study: {whose} has {field!r}, must have fields of {known}")


def _sweep(name: str, sweep: object) -> Mapping[str, Sequence]:
  if not isinstance(sweep, dict):
    raise UserError(f"study: {name} is {sweep!r}, must be {{gin binding: [values]}}")
  for binding, values in sweep.items():
    if not isinstance(values, list | tuple) or not values:
      raise UserError(f"study: {name}, {binding} is {values!r}, must be a list")
  return sweep


def _seeds(seeds: int | list[int] | tuple[int, ...]) -> tuple[int, ...]:
  if isinstance(seeds, list | tuple):
    if not seeds or not all(type(seed) is int and seed >= 0 for seed in seeds):
      raise UserError(f"study: seeds is {list(seeds)}, must be whole numbers from 0 up")
    return tuple(seeds)
  check_count("study", seeds=seeds)
  return tuple(range(seeds))


def _check_lists(**lists: object) -> None:
  for name, listed in lists.items():
    if not isinstance(listed, list | tuple):
      raise UserError(f"study: {name} is {listed!r}, must be a list")


def _check_functions(runs: Mapping[str, Any], **of_gin_files: Any) -> None:
  """Raise a `UserError` for settings that a Python function would ignore."""
  found = [run for run in _runs(runs).values() if callable(run.files)]
  if not found:
    return
  of_runs = [binding for run in found for binding in run.bindings]
  of_gin_files["bindings"] = [*of_gin_files["bindings"], *of_runs]
  for name, value in of_gin_files.items():
    if value:
      raise UserError(
        f"study: {name} is for methods that are gin files: a method that is a Python "
        "function makes its data and model itself"
      )


def _combinations(sweep: Mapping[str, Sequence]) -> list[dict[str, Any]]:
  products = itertools.product(*sweep.values())
  return [dict(zip(sweep, values, strict=True)) for values in products]


def _check_different(names: Iterable[str]) -> None:
  seen = set()
  for name in names:
    if name in seen:
      raise UserError(f"study: two runs would share the folder {name}: rename one")
    seen.add(name)


def _check_labels(plans: Iterable[Plan]) -> None:
  """Refuse equal labels, because figures would pool their runs."""
  labels = {}
  for plan in plans:
    pair = plan.method, plan.data
    if labels.setdefault(run_label(plan), pair) != pair:
      raise UserError(
        f"study: two runs would have the label {run_label(plan)!r} in figures: rename "
        "a method or a data set"
      )


def _hash(text: str) -> str:
  return hashlib.sha256(text.encode()).hexdigest()
