"""Promises of ARCHITECTURE.md: which room imports which, and where tests are."""

import ast
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[1]
PACKAGE = ROOT / "disentangle_tf"

# Which room may import which. Files beside the rooms may be imported by all.
MAY_IMPORT = {
  "losses": set(),
  "metrics": set(),
  "networks": set(),
  "plots": set(),
  "priors": set(),
  "schedules": set(),
  "supervision": set(),
  "data": set(),
  "models": {"losses", "priors", "schedules", "supervision"},
  "perceived": {"data", "losses", "metrics"},
  "export": {"data", "losses", "priors"},
  "pictures": {"data", "losses", "metrics", "perceived", "plots"},
  "foreign": {"export", "models", "networks"},
  "evaluation": {
    *("data", "export", "foreign", "losses", "metrics", "perceived", "pictures"),
    *("plots", "priors"),
  },
  "training": {
    *("data", "evaluation", "export", "losses", "metrics", "models", "perceived"),
    *("pictures", "plots"),
  },
}
MAY_IMPORT["adversary"] = {
  *("data", "export", "metrics", "networks", "plots", "training"),
}
MAY_IMPORT["studies"] = {*MAY_IMPORT}
MAY_IMPORT["papers"] = {"studies"}
MAY_IMPORT["commands"] = {*MAY_IMPORT}
_OPEN = {"studies", "commands"}  # which may import whatever there is


def _modules():
  return sorted(PACKAGE.rglob("*.py"))


def _name(path):
  return path.relative_to(ROOT).as_posix()


def _room(path):
  """The room of a module, None of those beside the rooms."""
  parts = path.relative_to(PACKAGE).parts
  return parts[0] if len(parts) > 1 else None


def _imports(path):
  """Full names of all that a module imports, at its top or within functions."""
  for node in ast.walk(ast.parse(path.read_text())):
    if isinstance(node, ast.Import):
      yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
      assert node.level == 0, f"{path} has a relative import"
      yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _room_of(imported):
  """The room that a name is imported from, None if from none."""
  top, _, rest = imported.partition(".")
  room = rest.partition(".")[0]
  return room if top == "disentangle_tf" and room in MAY_IMPORT else None


def test_the_matrix_speaks_of_all_rooms():
  rooms = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
  assert rooms == set(MAY_IMPORT)


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_rooms_import_only_those_below_them(room):
  allowed = MAY_IMPORT[room] | {room}
  for path in (PACKAGE / room).rglob("*.py"):
    for name in _imports(path):
      assert _room_of(name) in {None, *allowed}, f"{_name(path)} imports {name}"


@pytest.mark.parametrize("room", [room for room in MAY_IMPORT if room not in _OPEN])
def test_every_permission_is_used(room):
  """One that no module needs would let a dependency come back unnoticed."""
  imported = {_room_of(n) for p in (PACKAGE / room).rglob("*.py") for n in _imports(p)}
  assert MAY_IMPORT[room] - imported == set()


def test_files_beside_the_rooms_import_no_room():
  for path in PACKAGE.glob("*.py"):
    for name in _imports(path):
      assert _room_of(name) is None, f"{_name(path)} imports {name}"


@pytest.mark.parametrize("room", ["metrics", "plots", "studies/analyses"])
def test_arrays_need_no_tensorflow(room):
  for path in (PACKAGE / room).rglob("*.py"):
    tops = {name.split(".")[0] for name in _imports(path)}
    assert not tops & {"tensorflow", "keras", "tensorflow_probability"}, _name(path)


def test_gin_is_known_to_commands_alone():
  for path in _modules():
    if _room(path) != "commands":
      assert not any(name.split(".")[0] == "gin" for name in _imports(path)), _name(
        path
      )


def test_every_module_has_its_tests_where_a_reader_looks():
  lacking = []
  for path in _modules():
    place = path.relative_to(PACKAGE)
    if path.name != "__init__.py":
      test = ROOT / "tests" / place.with_name(f"test_{path.name}")
      lacking += [_name(path)] * (not test.exists())
  assert lacking == []


def test_no_file_is_called_after_nothing():
  for path in [*_modules(), *(ROOT / "tests").rglob("*.py")]:
    assert not re.fullmatch(r"(utils?|helpers?|misc|common)\.py", path.name), _name(
      path
    )
