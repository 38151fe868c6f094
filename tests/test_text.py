import csv
import io

import pytest
from markdown_it import MarkdownIt

from disentangle_tf.text import (
  csv_cell,
  html_text,
  markdown_table,
  markdown_text,
  printable,
)

EVIL = (
  "\x1b[2J\x1b]0;owned\x07",
  "one\r\nevaluate: error: two\t\x0b\x85\u2028three",
  "\u202egnp.exe\u200b\ufeff",
  "\udcff\x00\x9b31m",
  "=cmd|' /C calc'!A0",
  "\t@SUM(1+1)",
  "-2+3",
  "\uff1d1+1",
  "<script>alert(1)</script>&lt;b&gt;",
  '" onmouseover="alert(1)',
  "[here](http://evil.example) ![x](http://evil.example/x.png)",
  "http://evil.example www.evil.example <http://evil.example> a@evil.example",
  "a | b | c",
  "``` code ``` ~~gone~~ # head",
  "\\| \\",
  "x" * 2_000_000,
)


@pytest.mark.parametrize("text", EVIL)
def test_a_line(text):
  shown = printable(text)
  assert shown.isprintable() and len(shown) <= 200
  shown.encode("utf-8")
  assert all(c.isascii() or c.isalnum() for c in shown)


def test_what_people_write_stays():
  for text in ("runs/a_1/seed=0 (2).onnx", "modèle", "模型-3", "модель"):
    assert printable(text) == text
  assert printable("e\x1b[2J\n f") == r"e\x1b[2J f"
  assert printable("x" * 300) == "x" * 197 + "..."
  assert printable("x" * 300, longest=300) == "x" * 300


@pytest.mark.parametrize("text", EVIL)
def test_a_cell_of_a_spreadsheet(text):
  stream = io.StringIO()
  csv.writer(stream).writerow([csv_cell(text), "next"])
  ((cell, following),) = csv.reader(io.StringIO(stream.getvalue()))
  assert following == "next"
  assert cell[0] not in "=+-@\t\r \uff1d" and len(cell) <= 2_001


@pytest.mark.parametrize("text", EVIL)
def test_markdown_shows_it_as_it_is(text):
  reader = MarkdownIt("commonmark").enable("table").enable("strikethrough")
  cells = [markdown_text(text), "next"]
  tokens = reader.parse(markdown_table(["a", "b"], [cells]) + f"\n\n- {cells[0]}")
  kinds = {token.type for token in tokens if token.level > 1}
  assert kinds <= {
    *("thead_open", "thead_close", "tbody_open", "tbody_close", "tr_open", "tr_close"),
    *("th_open", "th_close", "td_open", "td_close", "inline", "list_item_open"),
    *("paragraph_open", "paragraph_close", "list_item_close"),
  }
  inline = [token for token in tokens if token.type == "inline"]
  assert [token.content for token in inline[:2]] == ["a", "b"]
  assert len(inline) == 5 and inline[3].content == "next"
  for token in (inline[2], inline[4]):
    assert {child.type for child in token.children} <= {"text", "text_special"}
    assert "".join(c.content for c in token.children) == printable(text, longest=500)


@pytest.mark.parametrize("text", EVIL)
def test_a_page_shows_it_as_it_is(text):
  shown = html_text(text)
  assert not set(shown) & set("<>\"'") and len(shown) < 5_000


def test_names_then_a_line_then_rows():
  table = markdown_table(["loss", "MIG"], [["mse", "0.01"], ["overlap", "0.50"]])
  assert table.splitlines() == [
    "| loss | MIG |",
    "|---|---|",
    "| mse | 0.01 |",
    "| overlap | 0.50 |",
  ]


def test_without_rows():
  assert markdown_table(("a",), []) == "| a |\n|---|"
