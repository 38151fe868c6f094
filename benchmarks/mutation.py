"""Check that a wrong weight, sign or term in a formula fails a test.

  python benchmarks/mutation.py [-j 2]            # models/ and losses/, an hour or two
  python benchmarks/mutation.py losses/blur.py    # one file
  python benchmarks/mutation.py --list            # lists the mutants
  python benchmarks/mutation.py --again survivors.json    # those of an earlier run

Makes one change at a time in the package's source and runs the quick tests of the
mirroring folder. A change is a number, a sign or a comparison; a term, a factor, a
check or an entry that is left out; or a sum in place of a mean. Prints one JSON line
for every mutant that passes all tests, and a last one with the counts. EQUIVALENT lists
mutants that compute the same as the original, with the reason.

Two things keep this affordable. A first run records which tests execute which lines, so
a mutant runs only the tests of its own lines, the quickest first. And TensorFlow is
imported once: a worker has a copy of the package in a temporary folder, writes one
mutant after the other there, and imports the copy anew.
"""

import argparse
import ast
import builtins
import copy
import json
import linecache
import multiprocessing
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = "disentangle_tf"
FOLDERS = ("models", "losses")
# These tests train for many seconds; tests with known answers find the same faults.
DEAR = "promises or recovers or figure or sparse or overlaps or density_ratio or chance"
SECONDS = 600  # of computing; a mutant that takes longer counts as dead
# Imported anew for each mutant: the packages that depend on models and losses.
DEPENDENT = (
  "models",
  "losses",
  "perceived",
  "export",
  "pictures",
  "evaluation",
  "training",
)

SWAPPED_OPERATORS = {
  ast.Add: ast.Sub,
  ast.Sub: ast.Add,
  ast.Mult: ast.Div,
  ast.Div: ast.Mult,
  ast.Pow: ast.Mult,
  ast.Mod: ast.Mult,
  ast.FloorDiv: ast.Mult,
  ast.Lt: ast.LtE,
  ast.LtE: ast.Lt,
  ast.Gt: ast.GtE,
  ast.GtE: ast.Gt,
  ast.Eq: ast.NotEq,
  ast.NotEq: ast.Eq,
  ast.Is: ast.IsNot,
  ast.IsNot: ast.Is,
  ast.In: ast.NotIn,
  ast.NotIn: ast.In,
  ast.And: ast.Or,
  ast.Or: ast.And,
}
SWAPPED_NAMES = {
  "reduce_mean": "reduce_sum",
  "reduce_sum": "reduce_mean",
  "reduce_min": "reduce_max",
  "reduce_max": "reduce_min",
  "minimum": "maximum",
  "maximum": "minimum",
  "zeros_like": "ones_like",
  "ones_like": "zeros_like",
  "exp": "log",
  "mean": "stddev",
  "variance": "stddev",
}

# {(file, source line, change): why the mutant is equivalent}
_SYMMETRIC = "difference = 0.5 * (difference + tfd.kl_divergence(second, first))"
_LAST_IS_SECOND = "the shape is (batch, values), whose last is its second"
_PADDED = "int(scipy.fft.next_fast_len(size, real=True) or size) for size in wanted"
_RANK = "rank = max(1, int(np.sum(values > 1e-7 * values[0])))"
_ROUNDING = "between rounding and the next outer product lies a wide gap"
EQUIVALENT = {
  ("models/ada_gvae.py", _SYMMETRIC, f"{_SYMMETRIC[13:]} becomes its right side"): (
    "the threshold lies between the least and the most of the same differences"
  ),
  ("models/ada_gvae.py", _SYMMETRIC, "0.5 becomes 1.0"): (
    "the threshold lies between the least and the most of the same differences"
  ),
  (
    "models/ae.py",
    "return self.decoder.input_shape[-1]",
    "-1 becomes its operand",
  ): _LAST_IS_SECOND,
  (
    "models/ae.py",
    "values, latents = self.encoder.output_shape[-1], self.latents",
    "-1 becomes its operand",
  ): _LAST_IS_SECOND,
  (
    "models/factor_vae.py",
    "if discriminator.input_shape[-1] != self.latents:",
    "-1 becomes its operand",
  ): _LAST_IS_SECOND,
  (
    "models/pcl.py",
    "values = encoder.output_shape[-1]",
    "-1 becomes its operand",
  ): _LAST_IS_SECOND,
  (
    "models/representation_model.py",
    "super().__init_subclass__()",
    "super().__init_subclass__() is left out",
  ): "Keras' Model has nothing to do there",
  (
    "models/representation_model.py",
    "self.supervision.check_labels(labels.shape[-1], self.latents)",
    "-1 becomes its operand",
  ): _LAST_IS_SECOND,
  (
    "models/representation_model.py",
    "size = tf.shape(pair[0])[0]",
    "0 becomes 1",
  ): "both images of a pair come as often",
  (
    "models/representation_model.py",
    "if not (isinstance(batch, tuple) and isinstance(batch[-1], tuple)):",
    "-1 becomes its operand",
  ): "a batch with labelled images is two things, whose last is its second",
  (
    "models/vae.py",
    "mean, log_variance = tf.split(values, 2, axis=-1)",
    "-1 becomes its operand",
  ): _LAST_IS_SECOND,
  ("losses/blur.py", _RANK, "values > 1e-07 * values[0] with GtE"): _ROUNDING,
  ("losses/blur.py", _RANK, "1e-07 becomes 2e-07"): _ROUNDING,
  (
    "losses/blur.py",
    _PADDED,
    "scipy.fft.next_fast_len(size, real=True) or size with And",
  ): "every transform of the least size or more gives the same, some faster",
  (
    "losses/likelihoods.py",
    "for _ in range(2):",
    "2 becomes 3",
  ): "Newton's method has arrived after two steps",
  (
    "losses/reconstruction_loss.py",
    "super().__init_subclass__(**arguments)",
    "super().__init_subclass__(**arguments) is left out",
  ): "object has nothing to do there",
}


def mutants(source):
  """Yield (line number, lines that run it, change, mutated source)."""
  tree = ast.parse(source)
  for path in _paths(tree):
    node = _at(tree, path)
    for what, change in _changes(node):
      mutated = copy.deepcopy(tree)
      _put(mutated, path, change)
      text = ast.unparse(ast.fix_missing_locations(mutated))
      yield node.lineno, _lines_that_run(tree, path), what, text


def _lines_that_run(tree, path):
  """Return the lines of the statement, or of the function for one of its defaults."""
  within = [_at(tree, path[: end + 1]) for end in range(len(path))]
  statements = [node for node in within if isinstance(node, ast.stmt)]
  functions = [node for node in within if isinstance(node, ast.FunctionDef)]
  if not functions:
    return range(0)  # part of the class or module, so every test of the file
  own = functions[-1] if statements[-1] is functions[-1] else statements[-1]
  last = own.body[0].lineno if hasattr(own, "body") and own not in functions else 0
  return range(own.lineno, (last or own.end_lineno) + 1)


def _paths(tree):
  """Yield the paths of nodes that may be changed: tuples of (field, place)."""
  stack = [((), tree)]
  while stack:
    path, node = stack.pop(0)
    if isinstance(node, ast.Raise | ast.Import | ast.ImportFrom):
      continue  # an error message is not a formula
    if isinstance(node, ast.keyword) and node.arg == "strict":
      continue  # zip's, which only guards against our own mistakes
    if path:
      yield path
    for field, value in ast.iter_fields(node):
      if field == "decorator_list" or field == "annotation":
        continue
      if isinstance(value, ast.AST):
        stack.append(((*path, (field, None)), value))
      elif isinstance(value, list):
        stack += [
          ((*path, (field, place)), item)
          for place, item in enumerate(value)
          if isinstance(item, ast.AST)
        ]


def _at(tree, path):
  for field, place in path:
    tree = getattr(tree, field)
    tree = tree if place is None else tree[place]
  return tree


def _put(tree, path, change):
  *above, (field, place) = path
  parent = _at(tree, above)
  if place is None:
    setattr(parent, field, change(getattr(parent, field)))
  else:
    getattr(parent, field)[place] = change(getattr(parent, field)[place])


def _changes(node):
  """Return [(change, function from node to new node)] for one node."""
  if isinstance(node, ast.Constant):
    return _changes_of_constant(node)
  if isinstance(node, ast.BinOp):
    return _changes_of_operation(node)
  if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
    return [(f"{_text(node)} becomes its operand", lambda n: n.operand)]
  if isinstance(node, ast.BoolOp):
    return [_swap(node, "op")]
  if isinstance(node, ast.Compare) and len(node.ops) == 1:
    return _changes_of_comparison(node)
  if isinstance(node, ast.Compare):
    return [(f"{_text(node)} becomes False", lambda n: ast.Constant(False))]
  if isinstance(node, ast.Attribute) and node.attr in SWAPPED_NAMES:
    return _rename(node)
  if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
    return [(f"{_text(node)} is left out", lambda n: ast.Pass())]
  if isinstance(node, ast.Dict):
    return _changes_of_dictionary(node)
  return []


def _text(node):
  return " ".join(ast.unparse(node).split())


def _changes_of_constant(node):
  value = node.value
  if isinstance(value, bool):
    return [(f"{value} becomes {not value}", lambda n: ast.Constant(not value))]
  if isinstance(value, int):
    return [(f"{value} becomes {value + 1}", lambda n: ast.Constant(value + 1))]
  if isinstance(value, float):
    other = 2 * value or 1.0
    return [(f"{value} becomes {other}", lambda n: ast.Constant(other))]
  return []


def _changes_of_operation(node):
  text = _text(node)
  changes = [_swap(node, "op")] if type(node.op) in SWAPPED_OPERATORS else []
  if isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div | ast.Pow):
    changes.append((f"{text} becomes its left side", lambda n: n.left))
  if isinstance(node.op, ast.Add | ast.Mult):
    changes.append((f"{text} becomes its right side", lambda n: n.right))
  return changes


def _changes_of_comparison(node):
  changes = [_swap(node, "ops")]
  if isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE):
    text = _text(node)
    changes.append((f"{text} becomes its opposite", lambda n: _negated(n)))
  return changes


def _negated(node):
  return ast.UnaryOp(ast.Not(), node)


def _swap(node, field):
  """Swap an operator for another."""
  own = node.ops[0] if field == "ops" else node.op
  other = SWAPPED_OPERATORS[type(own)]

  def change(found):
    setattr(found, field, [other()] if field == "ops" else other())
    return found

  return (f"{_text(node)} with {other.__name__}", change)


def _rename(node):
  other = SWAPPED_NAMES[node.attr]

  def change(found):
    found.attr = other
    return found

  return [(f"{node.attr} becomes {other}", change)]


def _changes_of_dictionary(node):
  def without(place):
    def change(found):
      del found.keys[place], found.values[place]
      return found

    return change

  return [
    (f"{_text(key) if key else '**' + _text(value)} is left out", without(place))
    for place, (key, value) in enumerate(zip(node.keys, node.values, strict=True))
  ]


class _Selection:
  """A pytest plugin that selects and orders tests and records their results.

  Args:
    wanted: names of tests, in the order to run them; None runs all.

  Attributes:
    seconds: {test: its duration}.
    lines: {test: (file, line) of the marked statements that it ran}.
  """

  def __init__(self, wanted=None):
    self.wanted = wanted
    self.seconds = {}
    self.lines = {}

  def pytest_collection_modifyitems(self, items):
    if self.wanted is not None:
      places = {name: place for place, name in enumerate(self.wanted)}
      items[:] = sorted(
        (item for item in items if item.nodeid in places),
        key=lambda item: places[item.nodeid],
      )

  def pytest_runtest_logreport(self, report):
    if report.when == "call" and report.passed:
      self.seconds[report.nodeid] = report.duration

  def pytest_runtest_protocol(self, item):
    builtins._run_line = self.lines.setdefault(item.nodeid, set()).add


class _Marked(ast.NodeTransformer):
  """Insert a call before each statement of a function that records its execution."""

  def __init__(self, file):
    self.file = file

  def visit_FunctionDef(self, node):  # noqa: N802
    self.generic_visit(node)
    node.body = [part for each in node.body for part in (*self._marks(each), each)]
    if ast.get_docstring(node):
      node.body = node.body[1:]  # the docstring comes first
    return node

  def visit_If(self, node):  # noqa: N802
    self.generic_visit(node)
    node.body = [part for each in node.body for part in (*self._marks(each), each)]
    return node

  def _marks(self, statement):
    return ast.parse(f"_run_line(({self.file!r}, {statement.lineno}))").body


def _mark(path, file):
  marked = _Marked(file).visit(ast.parse(path.read_text()))
  path.write_text(ast.unparse(ast.fix_missing_locations(marked)))


def _run_tests(home, tests, selection):
  """Run quick tests on the package in `home`; return pytest's exit code."""
  import pytest

  forgotten = [str(ROOT / "tests"), *(str(home / PACKAGE / name) for name in DEPENDENT)]
  for name, module in list(sys.modules.items()):
    path = getattr(module, "__file__", None) or ""
    if path.startswith(tuple(forgotten)):
      del sys.modules[name]
      parent, _, child = name.rpartition(".")
      vars(sys.modules.get(parent, module)).pop(child, None)
  linecache.clearcache()
  options = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", "--tb=line"]
  options += ["--rootdir", str(ROOT), "-k", f"not ({DEAR})"]
  return int(pytest.main([*options, *map(str, tests)], plugins=[selection]))


def _start(home):
  """Make Python import the package from a copy in `home`; silence all output."""
  os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
  shutil.copytree(ROOT / PACKAGE, home / PACKAGE, ignore=_CACHES, dirs_exist_ok=True)
  os.chdir(ROOT)
  sys.dont_write_bytecode = True  # or stale bytecode might replace a mutant
  sys.path.insert(0, str(home))
  nowhere = os.open(os.devnull, os.O_WRONLY)
  os.dup2(nowhere, 1)
  os.dup2(nowhere, 2)


_CACHES = shutil.ignore_patterns("__pycache__")


def record_lines(folder, home):
  """Return ({test: seconds}, {(file, line): tests}) for the unchanged package."""
  _start(home)
  for path in (home / PACKAGE / folder).glob("*.py"):
    _mark(path, f"{folder}/{path.name}")
  builtins._run_line = lambda line: None
  selection = _Selection()
  code = _run_tests(home, [ROOT / "tests" / folder], selection)
  if code:
    raise RuntimeError(f"the tests of {folder} fail without a mutant: {code}")
  tests = {}
  for test, lines in selection.lines.items():
    for line in lines:
      tests.setdefault(line, set()).add(test)
  return selection.seconds, tests


def tests_of(mutant, seconds, tests):
  """Return [(test file, its tests that run a mutant's lines, the quickest first)].

  The test file with the mutant's name comes first, then those with the most tests.
  """
  file, lines = mutant["file"], mutant["lines"]
  found = set().union(*(tests.get((file, line), ()) for line in lines))
  if not found:  # runs on import: all tests that use the file
    users = set().union(*(who for (name, _), who in tests.items() if name == file))
    files = {test.split("::")[0] for test in users}
    found = {test for test in seconds if test.split("::")[0] in files}
  by_file = {}
  for test in sorted(found, key=lambda test: seconds.get(test, 0.0)):
    by_file.setdefault(test.split("::")[0], []).append(test)
  own = f"test_{pathlib.Path(file).stem}.py"
  return sorted(
    by_file.items(), key=lambda item: (not item[0].endswith(own), -len(item[1]))
  )


def try_mutants(given, home, recorded, results):
  """Try one mutant after the other and put a record of each into `results`."""
  _start(home)
  signal.signal(signal.SIGPROF, _too_long)
  _check_controls(home, recorded)
  for mutant in given:
    path = home / PACKAGE / mutant["file"]
    chosen = tests_of(mutant, *recorded[mutant["file"].split("/")[0]])
    original = path.read_text()
    path.write_text(mutant["text"])
    lives = _passes(home, chosen)
    path.write_text(original)
    count = sum(len(tests) for _, tests in chosen)
    results.put({**mutant, "lives": lives, "tests": count})
  # State that a mutant left in the process could make later mutants fail.
  results.put({"control": _passes(home, chosen)})


def _check_controls(home, recorded):
  """Check that tests pass without a mutant, also after a second import."""
  for folder, (seconds, _) in recorded.items():
    quick = sorted(seconds, key=seconds.get)[:20]
    files = sorted({test.split("::")[0] for test in quick})
    if not all(_passes(home, [(file, quick)]) for file in [*files, *files]):
      raise RuntimeError(f"tests of {folder} fail without a mutant")


def _passes(home, chosen):
  """Return whether all tests pass in time, file by file."""
  for file, tests in chosen:
    try:
      signal.setitimer(signal.ITIMER_PROF, SECONDS)
      try:
        if _run_tests(home, [ROOT / file], _Selection(tests)):
          return False
      finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    except TimeoutError:
      return False
  return True


def _too_long(number, frame):
  raise TimeoutError


def all_mutants(files):
  """Yield a record of every mutant of the files."""
  for file in files:
    source = (ROOT / PACKAGE / file).read_text()
    lines = source.splitlines()
    for number, run, what, text in mutants(source):
      yield {
        "file": str(file),
        "line": number,
        "source": lines[number - 1].strip(),
        "change": what,
        "lines": list(run),
        "text": text,
      }


def _files(given):
  home = ROOT / PACKAGE
  found = [path for folder in FOLDERS for path in sorted((home / folder).glob("*.py"))]
  names = [path.relative_to(home) for path in found if path.name != "__init__.py"]
  return [pathlib.Path(name) for name in given] or names


def _record(folder, home):
  return folder, record_lines(folder, home)


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("files", nargs="*", help="such as losses/blur.py; all by default")
  parser.add_argument("-j", "--jobs", type=int, default=1, help="mutants at a time")
  parser.add_argument("--list", action="store_true", help="only list the mutants")
  parser.add_argument("--again", help="only the mutants in an earlier run's output")
  arguments = parser.parse_args()
  tried = list(all_mutants(_files(arguments.files)))
  if arguments.again:
    lines = pathlib.Path(arguments.again).read_text().splitlines()
    wanted = {
      _identity(record) for record in map(json.loads, lines) if "file" in record
    }
    tried = [mutant for mutant in tried if _identity(mutant) in wanted]
  if arguments.list:
    for mutant in tried:
      print(f"{mutant['file']}:{mutant['line']}: {mutant['change']}")
    print(len(tried))
    return
  spawn = multiprocessing.get_context("spawn")  # keeps TensorFlow out of this process
  with tempfile.TemporaryDirectory() as temporary:
    homes = pathlib.Path(temporary)
    folders = sorted({mutant["file"].split("/")[0] for mutant in tried})
    with spawn.Pool(min(arguments.jobs, len(folders)), maxtasksperchild=1) as pool:
      given = [(folder, homes / f"recorded_{folder}") for folder in folders]
      recorded = dict(pool.starmap(_record, given, chunksize=1))
    results = spawn.Queue()
    workers = [
      spawn.Process(
        target=try_mutants,
        args=(share, homes / f"worker_{job}", recorded, results),
      )
      for job in range(arguments.jobs)
      if (share := tried[job :: arguments.jobs])
    ]
    for worker in workers:
      worker.start()
    records = _collect(workers, results)
  _count(records, len(tried))


def _collect(workers, results):
  """Return all records; print survivors as they arrive."""
  records, working = [], len(workers)
  while working and any(worker.is_alive() for worker in workers):
    while not results.empty() or _waited(workers):
      if results.empty():
        break
      record = results.get()
      if "control" in record:
        working -= 1
        if not record["control"]:
          print(json.dumps({"control": "fails without a mutant"}), flush=True)
        continue
      why = EQUIVALENT.get(_identity(record))
      record = {k: v for k, v in record.items() if k not in ("text", "lines")}
      records.append({**record, "equivalent": why})
      if record["lives"]:
        print(json.dumps(records[-1]), flush=True)
      elif len(records) % 20 == 0:
        print(
          f"{len(records)} tried, now {record['file']}", file=sys.stderr, flush=True
        )
  return records


def _identity(mutant):
  return mutant["file"], mutant["source"], mutant["change"]


def _waited(workers):
  time.sleep(0.2)
  return any(worker.is_alive() for worker in workers)


def _count(records, tried):
  living = [record for record in records if record["lives"]]
  equivalent = [record for record in living if record["equivalent"]]
  print(
    json.dumps(
      {
        "mutants": tried,
        "tried": len(records),
        "killed": len(records) - len(living),
        "equivalent": len(equivalent),
        "survivors": len(living) - len(equivalent),
      }
    )
  )


if __name__ == "__main__":
  main()
