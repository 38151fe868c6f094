"""One self-contained HTML page of scores and pictures, made by Jinja2."""

import base64
import pathlib
from collections.abc import Iterable, Mapping

import jinja2
from markupsafe import Markup

_TEMPLATES = jinja2.Environment(
  loader=jinja2.FileSystemLoader(pathlib.Path(__file__).with_name("templates")),
  autoescape=True,
  trim_blocks=True,
  lstrip_blocks=True,
  keep_trailing_newline=True,
  undefined=jinja2.StrictUndefined,
)
_TEMPLATES.policies["json.dumps_kwargs"] = {
  "separators": (",", ":"),
  "allow_nan": False,  # JavaScript cannot read it
}
_PARTS = _TEMPLATES.get_template("parts.html").module


def html_report(
  *, title: str, introduction: str, parts: Iterable[Markup], script: str = ""
) -> str:
  """The text of a page that contains its pictures and needs no other file.

  Args:
    title: plain text, as everything that the page shows; it is escaped here.
    introduction: plain text below the title.
    parts: results of `table_part`, `facts_part`, `pictures_part`, `texts_part` and
      `sortable_table_part`. A part that is an ordinary string is shown as text.
    script: JavaScript that runs after the page is loaded, such as `SORTABLE_SCRIPT`.

  Returns:
    HTML.

  Example:
    >>> from disentangle_tf import plots
    >>> scores = plots.facts_part("Scores", "Higher is better.", {"mig": "0.5"})
    >>> page = plots.html_report(title="a < b", introduction="", parts=[scores])
    >>> "<h1>a &lt; b</h1>" in page
    True
  """
  page = _TEMPLATES.get_template("page.html")
  return page.render(title=title, introduction=introduction, parts=parts, script=script)


def table_part(
  heading: str, note: str, rows: Mapping[str, Mapping[str, float]]
) -> Markup:
  """A table of numbers; the highest of each column is bold.

  Args:
    heading: plain text.
    note: plain text below the table; "" for none.
    rows: {row name: {column name: number}}, all with the same columns.

  Returns:
    A part of `html_report`.

  Example:
    >>> from disentangle_tf import plots
    >>> part = plots.table_part("Scores", "", {"a": {"mig": 0.5}, "b": {"mig": 0.25}})
    >>> part.count("<tr>"), '<td class="best">0.500</td>' in part
    (3, True)
  """
  columns = list(next(iter(rows.values())))
  best = {column: max(row[column] for row in rows.values()) for column in columns}
  cells = {
    name: [
      (f"{row[column]:.3f}", "best" if row[column] == best[column] else "other")
      for column in columns
    ]
    for name, row in rows.items()
  }
  return part_of_page("table", heading, note, columns, cells.items())


def facts_part(heading: str, note: str, facts: Mapping[str, object]) -> Markup:
  """A list of names and what each stands for.

  Args:
    heading: plain text.
    note: plain text below the heading; "" for none.
    facts: {name: text}.

  Returns:
    A part of `html_report`.

  Example:
    >>> from disentangle_tf import plots
    >>> print(plots.facts_part("Model", "", {"loss": "a & b"}))
    <h2>Model</h2>
    <dl>
    <dt>loss</dt><dd>a &amp; b</dd>
    </dl>
  """
  shown = [(name, str(text)) for name, text in facts.items()]
  return part_of_page("facts", heading, note, shown)


def pictures_part(
  heading: str,
  note: str,
  pictures: Mapping[str, bytes | str],
  *,
  pixels: bool = False,
  links: Mapping[str, str] | None = None,
) -> Markup:
  """Pictures side by side.

  Args:
    heading: plain text.
    note: plain text below the heading; "" for none.
    pictures: {caption: bytes of a PNG or SVG file, or the reason why there is none}.
    pixels: enlarge each picture and keep its pixels sharp.
    links: {caption: address} of the captions that are links.

  Returns:
    A part of `html_report`.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> png = plots.picture_to_png(np.zeros([2, 2, 3]))
    >>> part = plots.pictures_part("Images", "", {"black": png, "white": "not drawn"})
    >>> part.count("<img"), "not drawn" in part
    (1, True)
  """
  shown = [
    (caption, (links or {}).get(caption), *_source_and_reason(picture))
    for caption, picture in pictures.items()
  ]
  kind = "pixels" if pixels else "plot"
  return part_of_page("pictures", heading, note, shown, kind)


def texts_part(heading: str, note: str, texts: Mapping[str, str]) -> Markup:
  r"""Texts of several lines, each folded below its title.

  Args:
    heading: plain text.
    note: plain text below the heading; "" for none.
    texts: {title: text}; line breaks and blanks stay.

  Returns:
    A part of `html_report`.

  Example:
    >>> from disentangle_tf import plots
    >>> part = plots.texts_part("Logs", "", {"run 1": "step 1\nstep 2"})
    >>> print(part)
    <h2>Logs</h2>
    <details><summary>run 1</summary><pre>step 1
    step 2</pre></details>
  """
  return part_of_page("texts", heading, note, texts.items())


def part_of_page(kind: str, *content: object) -> Markup:
  """Call the macro `kind` of parts.html, which escapes all text."""
  return getattr(_PARTS, kind)(*content).strip()


def _source_and_reason(picture: bytes | str) -> tuple[str, str]:
  """(Address that contains the picture, why there is none); one of them is empty."""
  if isinstance(picture, str):
    return "", picture
  media = "png" if picture.startswith(b"\x89PNG") else "svg+xml"
  return f"data:image/{media};base64,{base64.b64encode(picture).decode()}", ""
