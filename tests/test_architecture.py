"""Invariants of ARCHITECTURE.md: imports, what training loads, where tests are."""

import ast
import importlib
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[1]
PACKAGE = ROOT / "disentangle_tf"
ANNEXES = {"foreign", "evaluation", "adversary", "studies", "papers", "commands"}


def _table():
  """{package: packages it may import} of the table in ARCHITECTURE.md."""
  text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
  rows = re.findall(r"^\| `(\w+)` \| [^|]+ \|([^|]*)\|$", text, re.MULTILINE)
  grants, above = {}, set()
  for package, imports in rows:
    listed = {name.strip() for name in imports.split(",") if name.strip()}
    grants[package] = set(above) if listed == {"all above"} else listed
    above.add(package)
  return grants


MAY_IMPORT = _table()
_OPEN = {"studies", "papers", "commands"}  # which may import everything above them


def _modules():
  return sorted(PACKAGE.rglob("*.py"))


def _name(path):
  return path.relative_to(ROOT).as_posix()


def _package_of(path):
  """The package of a module, None for those beside the packages."""
  parts = path.relative_to(PACKAGE).parts
  return parts[0] if len(parts) > 1 else None


def _imports(path):
  """Full names of what a module imports, at its top or within functions."""
  for node in ast.walk(ast.parse(path.read_text())):
    if isinstance(node, ast.Import):
      yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
      assert node.level == 0, f"{path} has a relative import"
      yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _imported_package(imported):
  """The package that a name is imported from, None if from none."""
  top, _, rest = imported.partition(".")
  package = rest.partition(".")[0]
  return package if top == "disentangle_tf" and package in MAY_IMPORT else None


def test_the_table_lists_every_package():
  found = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
  assert found == set(MAY_IMPORT)


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_packages_import_only_those_in_the_table(package):
  allowed = MAY_IMPORT[package] | {package}
  for path in (PACKAGE / package).rglob("*.py"):
    for name in _imports(path):
      assert _imported_package(name) in {None, *allowed}, f"{_name(path)}: {name}"


@pytest.mark.parametrize("package", [name for name in MAY_IMPORT if name not in _OPEN])
def test_every_grant_is_used(package):
  """A stale grant would let a dependency come back unnoticed."""
  paths = (PACKAGE / package).rglob("*.py")
  imported = {_imported_package(name) for path in paths for name in _imports(path)}
  assert MAY_IMPORT[package] - imported == set()


def test_modules_beside_the_packages_import_none():
  for path in PACKAGE.glob("*.py"):
    if path.name != "__init__.py":
      for name in _imports(path):
        assert _imported_package(name) is None, f"{_name(path)} imports {name}"


def test_training_loads_no_annex():
  program = "import sys, disentangle_tf.training as t; t.train; print(*sys.modules)"
  loaded = subprocess.run(
    [sys.executable, "-c", program], capture_output=True, text=True, check=True
  ).stdout.split()
  ours = [name for name in loaded if name.startswith("disentangle_tf.")]
  assert not {name.split(".")[1] for name in ours} & ANNEXES
  assert len(ours) <= 0.6 * len(_modules())


COMMANDS = sorted(path.stem for path in (ROOT / "bin").glob("*.py"))


def test_commands_check_their_flags_before_they_load_anything_large():
  """Help and mistakes then take a tenth of a second."""
  names = ", ".join(f"disentangle_tf.commands.{command}" for command in COMMANDS)
  program = f"import sys, {names}; print(*sys.modules)"
  loaded = subprocess.run(
    [sys.executable, "-c", program], capture_output=True, text=True, check=True
  ).stdout.split()
  large = {"numpy", "pandas", "scipy", "sklearn", "matplotlib", "tensorflow", "keras"}
  assert len(COMMANDS) == 7 and not large & set(loaded)


def test_the_first_step_and_the_first_score_load_nothing_for_later():
  """Figures, tables and trees then load matplotlib, pandas, SciPy and scikit-learn."""
  program = (
    "import sys; from disentangle_tf.commands import evaluate, train\n"
    "files = ['gin/runs/demo_mse.gin']; binding = 'training.train.seed = 1'\n"
    "train.start_tensorflow(files, [binding])\n"
    "train.configured_training(files, [binding])(output_dir=None, dry_run=True)\n"
    "given = ['model', 'output_dir']\n"
    "evaluate.evaluate_arguments(['gin/metrics/default.gin'], given=given)\n"
    "print(*sys.modules)"
  )
  loaded = subprocess.run(
    [sys.executable, "-c", program], capture_output=True, text=True, check=True
  ).stdout.split()
  later = {"matplotlib", "pandas", "sklearn", "scipy.stats", "scipy.optimize"}
  assert "disentangle_tf.evaluation.one_model" in loaded and "tensorflow" in loaded
  assert not later & set(loaded)
  assert "disentangle_tf.adversary" not in loaded


def test_studies_and_papers_load_no_tensorflow():
  """Plans, tables and most figures need none, and a command starts it quietly."""
  program = (
    "import sys; from disentangle_tf import papers, studies\n"
    "for name in studies.__all__: getattr(studies, name)\n"
    "print(*sys.modules)"
  )
  loaded = subprocess.run(
    [sys.executable, "-c", program], capture_output=True, text=True, check=True
  ).stdout.split()
  assert "disentangle_tf.papers.zietlow" in loaded and "tensorflow" not in loaded


@pytest.mark.parametrize("package", ["metrics", "plots", "studies/analyses"])
def test_arrays_need_no_tensorflow(package):
  for path in (PACKAGE / package).rglob("*.py"):
    tops = {name.split(".")[0] for name in _imports(path)}
    assert not tops & {"tensorflow", "keras", "tensorflow_probability"}, _name(path)


def test_only_commands_know_gin():
  for path in _modules():
    if _package_of(path) != "commands":
      assert not any(name.split(".")[0] == "gin" for name in _imports(path)), path


def test_no_exported_name_is_the_name_of_a_submodule():
  """`package.name` would be one or the other, by the order of imports."""
  for path in PACKAGE.rglob("__init__.py"):
    module = importlib.import_module(".".join(path.parent.relative_to(ROOT).parts))
    submodules = {
      each.stem
      for each in path.parent.iterdir()
      if each.is_dir() or each.suffix == ".py"
    } - {"__init__"}
    both = submodules & set(getattr(module, "__all__", ()))
    functions = [name for name in both if callable(getattr(module, name))]
    assert functions == [], _name(path)


def test_every_test_file_mirrors_a_module_or_names_a_result():
  """tests/PACKAGE/test_MODULE.py or test_MODULE_SUBJECT.py; folders mirror packages."""
  for path in (ROOT / "tests").rglob("test_*.py"):
    folder = path.parent.relative_to(ROOT / "tests")
    assert (PACKAGE / folder).is_dir() or folder.name == "fuzz", _name(path)


def test_every_package_has_tests():
  for path in _modules():
    folder = ROOT / "tests" / path.parent.relative_to(PACKAGE)
    assert list(folder.glob("test_*.py")), f"{_name(path)} has no tests beside it"


def test_file_names_say_something():
  for path in [*_modules(), *(ROOT / "tests").rglob("*.py")]:
    assert not re.fullmatch(r"(utils?|helpers?|misc|common)\.py", path.name), path
