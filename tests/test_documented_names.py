"""Files, links, flags and settings that the documents name exist."""

import importlib
import inspect
import pathlib
import re

import pytest
from command_calls import ROOT
from documented_commands import DOCUMENTS, PROGRAMS, Block, Call, parsed_flags

from disentangle_tf.commands.gin_errors import PACKAGES
from disentangle_tf.commands.study_configuration import read_study

TEXTS = {
  name: (ROOT / name).read_text(encoding="utf-8")
  for name in [*DOCUMENTS, "ARCHITECTURE.md"]
}
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_FENCED = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_PATH = re.compile(r"[\w./]*\w/[\w./]*\.(?:py|gin|md|json|js|txt)|bin/\w+")
# Where a path may start; CONTRIBUTING.md and docs/ name modules from their rooms.
_PLACES = (
  *("", "disentangle_tf", "disentangle_tf/foreign", "gin", "gin/studies", "docs"),
)
# Folders that a run or a study of the reader's holds.
_OF_RUNS = ("runs/", "export/", "scores/", "A/", "B/", "seed_0/", "dtf_mpi3d/")
_OF_OTHER_PROGRAMS = {
  *("--all-pods", "--prefix", "--for", "--slow", "--fuzz", "--seeds", "--logdir"),
}


def _codes(file):
  """What stands in single backticks, outside of blocks."""
  return _CODE.findall(_FENCED.sub("", TEXTS[file]))


def _slug(heading):
  """The anchor that a heading gets."""
  text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
  return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


@pytest.mark.parametrize("file", TEXTS)
def test_links_lead_somewhere(file):
  for target in re.findall(r"\]\(([^)\s]+)\)", TEXTS[file]):
    if "://" in target:
      continue
    path, _, anchor = target.partition("#")
    found = (ROOT / file).parent / path if path else ROOT / file
    assert found.exists(), target
    if anchor:
      text = _FENCED.sub("", found.read_text(encoding="utf-8"))
      slugs = {_slug(each) for each in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}
      assert anchor in slugs, target


@pytest.mark.parametrize("file", TEXTS)
def test_files_that_are_named_exist(file):
  beside = (ROOT / file).parent.relative_to(ROOT).as_posix()
  for code in _codes(file):
    if not _PATH.fullmatch(code) or code.startswith(_OF_RUNS):
      continue
    if re.search(r"[A-Z]{3}|_N\b|X\.", code.removesuffix("README.md")):
      continue  # a placeholder, such as gin/data/NAME.gin
    places = [ROOT / place / code for place in (*_PLACES, beside)]
    assert any(place.exists() for place in places), code


def _known_flags():
  found = set()
  for program in PROGRAMS:
    call = Call(Block(program, 1, "sh", ""), (f"bin/{pathlib.Path(program).name}",))
    values, _ = parsed_flags(call)
    found |= {f"--{name}" for name in values}
  for benchmark in (ROOT / "benchmarks").glob("*.py"):
    found |= set(re.findall(r'"(--\w+)"', benchmark.read_text(encoding="utf-8")))
  return found


def test_flags_that_are_named_exist():
  known = _known_flags() | _OF_OTHER_PROGRAMS
  named = {
    (file, flag)
    for file in TEXTS
    for code in _codes(file)
    for flag in re.findall(r"(?<![\w-])--[a-z][\w-]+", code)
  }
  assert {each for each in named if each[1] not in known} == set()
  assert len(named) > 50


def test_settings_that_are_named_exist():
  """`models.SlowVAE.beta` and the like: a class or function and its argument."""
  setting = rf"(?<![\w./-])(?:{'|'.join(PACKAGES)})\.[A-Za-z_][\w.]*"
  unknown = []
  for file in TEXTS:
    for code in _codes(file):
      for name in re.findall(setting, code):
        unknown += [(file, name)] * (not _is_setting(name.rstrip(".")))
  assert not unknown


def _is_setting(name):
  """Whether a name of this package, perhaps with an argument at its end, exists."""
  room, *parts = name.split(".")
  found = importlib.import_module(f"disentangle_tf.{room}")
  for place, part in enumerate(parts):
    try:
      after = getattr(found, part)
    except AttributeError:
      if inspect.ismodule(found):
        try:
          after = importlib.import_module(f"{found.__name__}.{part}")
        except ImportError:
          return part in ("py", "md", "gin")  # a file's name
      else:
        last = place == len(parts) - 1
        return last and callable(found) and part in inspect.signature(found).parameters
    found = after
  return True


def _studies():
  """{file of gin/studies: number of its models}, as docs/studies.md lists them."""
  found = {}
  for line in TEXTS["docs/studies.md"].splitlines():
    cells = line.split(" | ")
    if len(cells) != 3 or not re.match(r"\| `(michlo|locatello|zietlow|mathieu)", line):
      continue
    if not re.match(r"\d", cells[1]):
      continue  # of another table
    first, *further = re.findall(r"`(\w+)`", cells[0])
    stem = first.rpartition("_")[0]
    names = [first, *(stem + n if n.startswith("_") else n for n in further)]
    sizes = ("", "_paper_size")
    for size, counts in zip(sizes, cells[1].split(";"), strict=False):
      listed = [
        int(n.replace(",", "")) for n in re.findall(r"\b\d[\d,]*\d|\b\d", counts)
      ]
      if "_shapes3d" in counts:
        found[f"{first}_shapes3d{size}"] = listed.pop()
      found |= {n + size: count for n, count in zip(names, listed, strict=True)}
  return found


def test_every_shipped_study_is_listed_with_the_number_of_its_models():
  folder = ROOT / "gin" / "studies"
  files = {path.stem: path for path in folder.glob("*.gin")}
  counts = {}
  for name, path in files.items():
    study, _ = read_study([f"gin/studies/{path.relative_to(folder).as_posix()}"], [])
    counts[name] = len(study.plans())
  assert _studies() == counts
