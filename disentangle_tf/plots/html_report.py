"""One self-contained HTML page of scores and pictures."""

import base64
import html

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --page: #fff; --ink: #222; --faint: #555;
        --line: #ddd; --mark: #0b57d0; }}
@media screen and (prefers-color-scheme: dark) {{
  :root {{ --page: #16181c; --ink: #e4e4e4; --faint: #a6a6a6; --line: #3a3d42;
          --mark: #8ab4f8; }}
}}
body {{ font: 16px/1.5 system-ui, sans-serif; color: var(--ink);
       background: var(--page); max-width: 1200px; margin: 2rem auto;
       padding: 0 1rem; }}
a {{ color: var(--mark); }}
h1 {{ font-size: 1.6rem; overflow-wrap: anywhere; }}
h2 {{ font-size: 1.15rem; margin: 2rem 0 .3rem; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .35rem .9rem; border-bottom: 1px solid var(--line);
         text-align: right; }}
th:first-child, td:first-child {{ text-align: left; }}
td.best {{ font-weight: 700; }}
.wide {{ overflow: auto; max-height: 85vh; width: calc(100vw - 3rem);
         margin-left: calc(50% - 50vw + 1.5rem); }}
.compact {{ font-size: .8rem; line-height: 1.25; border-collapse: separate;
            border-spacing: 0; }}
.compact th, .compact td {{ padding: .3rem .45rem; }}
.compact th {{ position: sticky; top: 0; z-index: 1; background: var(--page);
               max-width: 5rem; font-size: .65rem; vertical-align: bottom;
               overflow-wrap: anywhere; }}
.compact th:first-child, .compact td:first-child {{ position: sticky; left: 0;
  background: var(--page); min-width: 11rem; max-width: 16rem;
  overflow-wrap: anywhere; }}
.compact th:first-child {{ z-index: 2; }}
.compact small {{ color: var(--faint); white-space: nowrap; }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem;
      margin: .3rem 0; }}
dt {{ font-weight: 600; }}
dd {{ margin: 0; overflow-wrap: anywhere; }}
.columns {{ display: grid; gap: 1.5rem;
            grid-template-columns: repeat(auto-fit, minmax(min(350px, 100%), 1fr)); }}
figure {{ margin: 0; break-inside: avoid; }}
figcaption {{ font-weight: 600; margin-bottom: .3rem; overflow-wrap: anywhere; }}
img {{ max-width: 100%; height: auto; }}
img.plot {{ background: #fff; }}
img.pixels {{ width: 100%; max-width: 720px; image-rendering: pixelated; }}
p.note {{ color: var(--faint); margin: .2rem 0 .8rem; max-width: 75ch; }}
.controls {{ display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: baseline;
             margin: .5rem 0; font-size: .85rem; }}
.controls input, .controls select {{ font: inherit; max-width: 14rem; }}
.sortable .wide {{ width: auto; margin: 0; }}
.sortable th {{ max-width: none; overflow-wrap: normal; }}
.sortable th:first-child, .sortable td:first-child {{ min-width: 0; }}
.sortable th button {{ all: unset; cursor: pointer; font-weight: 700; }}
.sortable th button:focus-visible {{ outline: 2px solid var(--mark); }}
.sortable th[aria-sort=ascending] button::after {{ content: " ▲"; }}
.sortable th[aria-sort=descending] button::after {{ content: " ▼"; }}
.sortable .text {{ text-align: left; }}
.sortable td {{ overflow-wrap: normal; }}
.sortable td.text {{ min-width: 7rem; max-width: 18rem; }}
summary {{ cursor: pointer; overflow-wrap: anywhere; }}
pre {{ font-size: .8rem; line-height: 1.35; overflow: auto; max-height: 85vh;
      margin: .5rem 0; padding: .6rem; border: 1px solid var(--line); }}
@media print {{ .wide, pre {{ max-height: none; overflow: visible; }}
               .controls {{ display: none; }} }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{introduction}</p>
{parts}
{script}</body>
</html>
"""


def html_report(*, title, introduction, parts, script=""):
  """The page's text, pictures included.

  Args:
    title, introduction: plain text.
    parts: what `table_part`, `facts_part`, `pictures_part`, `texts_part` and
      `sortable_table_part` give.
    script: JavaScript that runs once the page is there, such as `SORTABLE_SCRIPT`.
  """
  return _PAGE.format(
    title=html.escape(title),
    introduction=html.escape(introduction),
    parts="\n".join(parts),
    script=f"<script>\n{script}</script>\n" if script else "",
  )


def table_part(heading, note, rows):
  """A table {row name: {column name: float}}; the highest of each column is bold."""
  columns = list(next(iter(rows.values())))
  best = {column: max(row[column] for row in rows.values()) for column in columns}
  head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
  lines = [f"<tr><th></th>{head}</tr>"]
  for name, row in rows.items():
    cells = "".join(
      f'<td class="{"best" if row[column] == best[column] else "other"}">'
      f"{row[column]:.3f}</td>"
      for column in columns
    )
    lines.append(f"<tr><td>{html.escape(name)}</td>{cells}</tr>")
  table = "<table>\n" + "\n".join(lines) + "\n</table>"
  return f"{heading_and_note(heading, '')}\n{table}\n{_note(note)}"


def facts_part(heading, note, facts):
  """A list {name: text}."""
  lines = "\n".join(
    f"<dt>{html.escape(str(name))}</dt><dd>{html.escape(str(text))}</dd>"
    for name, text in facts.items()
  )
  return f"{heading_and_note(heading, note)}\n<dl>\n{lines}\n</dl>"


def pictures_part(heading, note, pictures, *, pixels=False, links=None):
  """Pictures side by side.

  Args:
    heading, note: plain text.
    pictures: {caption: PNG or SVG bytes, or text that says why there is no picture}.
    pixels: show single ones sharply.
    links: {caption: address} of those that lead somewhere.
  """
  kind = "pixels" if pixels else "plot"
  figures = "\n".join(
    f"<figure><figcaption>{_linked(caption, links)}</figcaption>"
    f"{_picture(caption, shown, kind)}</figure>"
    for caption, shown in pictures.items()
  )
  return f'{heading_and_note(heading, note)}\n<div class="columns">{figures}</div>'


def texts_part(heading, note, texts):
  """Texts {title: lines} as they are, each of which unfolds below its title."""
  folded = "\n".join(
    f"<details><summary>{html.escape(title)}</summary>"
    f"<pre>{html.escape(text)}</pre></details>"
    for title, text in texts.items()
  )
  return f"{heading_and_note(heading, note)}\n{folded}"


def _linked(caption, links):
  words, address = html.escape(caption), (links or {}).get(caption)
  return f'<a href="{html.escape(address)}">{words}</a>' if address else words


def _picture(caption, shown, kind):
  if isinstance(shown, str):
    return _note(shown)
  media = "png" if shown.startswith(b"\x89PNG") else "svg+xml"
  return (
    f'<img class="{kind}" alt="{html.escape(caption)}" '
    f'src="data:image/{media};base64,{base64.b64encode(shown).decode()}">'
  )


def heading_and_note(heading, note):
  """What a part begins with."""
  return f"<h2>{html.escape(heading)}</h2>\n{_note(note)}"


def _note(text):
  return f'<p class="note">{html.escape(text)}</p>' if text else ""
