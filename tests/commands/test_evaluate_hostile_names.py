"""bin/evaluate.py on a folder of models with hostile names."""

import csv
import html.parser
import io
import json
import os
import shutil

import numpy as np
import pytest
from command_calls import call, measuring
from markdown_it import MarkdownIt
from shared_checks import hyper_parameters
from tensorboard.backend.event_processing import event_accumulator

from disentangle_tf.commands import evaluate

RUDE = "\x1b]0;owned\x07\x1b[2J\r\nevaluate: error: \u202eevil\u2066"
FORMULA = (
  "=HYPERLINK(\"http:evil\")<img src=x onerror=alert('1')>|[x](javascript:y)`$\\f{"
)
NAMES = (
  FORMULA,
  f"-2+3 {RUDE}",
  "+1<script>alert(1)<script>",
  "@SUM(1)",
  "\t=1",
  "![x](http:evil.example) & &lt;b&gt;",
  '" onmouseover="alert(1)" x="',
  os.fsdecode(b"\xff\xfe\x9b31m"),
  "x" * 240,
)


@pytest.fixture(scope="module")
def table(exported, tmp_path_factory):
  """(output folder, printed text) for all models."""
  home = tmp_path_factory.mktemp("evil")
  foreign = home / "foreign"
  foreign.mkdir()
  rng = np.random.default_rng(0)
  factors = rng.integers(2, size=(50, 2))
  arrays = {"codes": rng.normal(size=(50, 3)), "factors": factors}
  arrays["names"] = np.array([FORMULA, RUDE])
  np.savez(foreign / f"{NAMES[0]}.npz", **arrays)
  for number, name in enumerate(NAMES[1:]):
    if number % 2:
      (foreign / f"{name}.onnx").write_bytes(RUDE.encode())
    else:
      _hostile_export(exported[0], foreign / name, number)
  _hostile_settings(exported[0], foreign / "settings")
  out, flags = home / "out", ("--trusted", *measuring("mig", num_points=40))
  captured = io.StringIO(), io.StringIO()
  with pytest.MonkeyPatch.context() as patch:
    streams = [_Stream(stream) for stream in captured]
    patch.setattr("sys.stdout", streams[0])
    patch.setattr("sys.stderr", streams[1])
    code = call(evaluate.main, "--model", foreign, "--output_dir", out, *flags)
    scanned = call(evaluate.main, "--model", foreign, "--scan_only")
  assert (code, scanned) == (3, 3)
  return out, "".join(stream.getvalue() for stream in captured)


class _Stream(io.TextIOBase):
  """A UTF-8 terminal that refuses other characters."""

  def __init__(self, kept):
    self._kept, self._errors = kept, "strict"

  def reconfigure(self, *, errors):
    self._errors = errors

  def write(self, text):
    self._kept.write(text.encode("utf-8", self._errors).decode("utf-8"))
    return len(text)


def _hostile_export(folder, target, number):
  """An export whose manifest contains control characters."""
  shutil.copytree(folder, target)
  path = target / "manifest.json"
  manifest = json.loads(path.read_text())
  manifest |= (
    {"contract_version": f"{RUDE}"},
    {"sha256": {f"{RUDE}{FORMULA}": "0" * 64}},
    {"data": {"class": "XYSquares", "arguments": {f"{RUDE}{FORMULA}" * 20: 1}}},
    {"data": {"class": f"{FORMULA}{RUDE}", "arguments": {}}},
  )[number // 2 % 4]
  path.write_text(json.dumps(manifest))


def _hostile_settings(folder, target):
  """A valid export with hostile settings, which TensorBoard shows."""
  shutil.copytree(folder, target)
  path = target / "manifest.json"
  manifest = json.loads(path.read_text())
  manifest["hyper_parameters"] = {RUDE: FORMULA, "text": RUDE + "x" * 10**5, "ok": 1}
  manifest["config"] = RUDE
  path.write_text(json.dumps(manifest))


def check_plain(text, *, longest=30_000):
  """No control characters, and no endless lines."""
  for line in text.split("\n"):
    assert line.isprintable(), line[:300]
    assert len(line) < longest


def test_the_terminal(table):
  check_plain(table[1])
  assert not any(line.startswith("evaluate:") for line in table[1].splitlines())


def test_file_names(table):
  for path in table[0].rglob("*"):
    name = path.relative_to(table[0]).as_posix()
    assert name.isascii() and name.isprintable() and not set(name) & set("<>\"'`|$ ")


def test_plain_text(table):
  check_plain((table[0] / "comparison.txt").read_text(), longest=2_500)


def test_the_spreadsheet(table):
  text = (table[0] / "comparison.csv").read_text()
  check_plain(text)
  rows = list(csv.reader(io.StringIO(text)))
  assert len(rows) == 1 + len(NAMES) + 1
  for cell in (cell for row in rows for cell in row if cell):
    assert cell[0] not in "=+-@\t\r" or float(cell) is not None


def test_the_document(table):
  text = (table[0] / "comparison.md").read_text()
  check_plain(text)
  reader = MarkdownIt("commonmark").enable("table")
  for token in reader.parse(text):
    kinds = {token.type} | {child.type for child in token.children or ()}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "fence"}
    assert "code_inline" not in kinds


class _Tags(html.parser.HTMLParser):
  def __init__(self):
    super().__init__()
    self.seen = []

  def handle_starttag(self, tag, attributes):
    self.seen.append((tag, dict(attributes)))


def test_the_pages(table):
  pages = [*table[0].glob("*/report.html"), table[0] / "comparison.html"]
  assert len(pages) == 3
  for page in pages:
    text = page.read_text()
    check_plain(text, longest=10**6)
    tags = _Tags()
    tags.feed(text)
    assert "script" not in {tag for tag, _ in tags.seen}
    for tag, attributes in tags.seen:
      assert not any(name.startswith("on") for name in attributes)
      assert tag != "img" or attributes["src"].startswith("data:image/png;base64,")
      if tag == "a":
        assert (table[0] / attributes["href"]).is_file()


def test_json_and_events(table):
  for path in table[0].glob("*/scores.json"):
    result = json.loads(path.read_text())
    check_plain("".join(result["factors"]) + result["model"]["read_as"])
  events = event_accumulator.EventAccumulator(str(table[0] / "settings")).Reload()
  noted = hyper_parameters(events)
  assert noted["ok"] == 1 and len(noted) == 3
  for name, value in noted.items():
    check_plain(f"{name}{value}", longest=2_500)
