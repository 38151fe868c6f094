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
body {{ font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 1200px;
       margin: 2rem auto; padding: 0 1rem; }}
h1 {{ font-size: 1.6rem; }}
h2 {{ font-size: 1.15rem; margin: 2rem 0 .3rem; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .35rem .9rem; border-bottom: 1px solid #ddd; text-align: right; }}
th:first-child, td:first-child {{ text-align: left; }}
td.best {{ font-weight: 700; }}
.wide {{ overflow: auto; max-height: 85vh; width: calc(100vw - 3rem);
         margin-left: calc(50% - 50vw + 1.5rem); }}
.compact {{ font-size: .8rem; line-height: 1.25; border-collapse: separate;
            border-spacing: 0; }}
.compact th, .compact td {{ padding: .3rem .45rem; }}
.compact th {{ position: sticky; top: 0; z-index: 1; background: #fff; max-width: 5rem;
               font-size: .65rem; vertical-align: bottom; overflow-wrap: anywhere; }}
.compact th:first-child, .compact td:first-child {{ position: sticky; left: 0;
  background: #fff; min-width: 11rem; max-width: 16rem; overflow-wrap: anywhere; }}
.compact th:first-child {{ z-index: 2; }}
.compact small {{ color: #555; white-space: nowrap; }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem;
      margin: .3rem 0; }}
dt {{ font-weight: 600; }}
dd {{ margin: 0; overflow-wrap: anywhere; }}
.columns {{ display: grid; gap: 1.5rem;
            grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); }}
figure {{ margin: 0; }}
figcaption {{ font-weight: 600; margin-bottom: .3rem; }}
img {{ max-width: 100%; height: auto; }}
img.pixels {{ width: 100%; max-width: 720px; image-rendering: pixelated; }}
p.note {{ color: #555; margin: .2rem 0 .8rem; max-width: 75ch; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{introduction}</p>
{parts}
</body>
</html>
"""


def html_report(*, title, introduction, parts):
  """The page's text, pictures included.

  Args:
    title, introduction: plain text.
    parts: what `table_part`, `facts_part` and `pictures_part` give.
  """
  return _PAGE.format(
    title=html.escape(title),
    introduction=html.escape(introduction),
    parts="\n".join(parts),
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
  return f"{_heading(heading)}\n{table}\n{_note(note)}"


def facts_part(heading, note, facts):
  """A list {name: text}."""
  lines = "\n".join(
    f"<dt>{html.escape(str(name))}</dt><dd>{html.escape(str(text))}</dd>"
    for name, text in facts.items()
  )
  return f"{_heading(heading)}\n{_note(note)}\n<dl>\n{lines}\n</dl>"


def pictures_part(heading, note, pictures, *, pixels=False):
  """Pictures {caption: PNG bytes} side by side; `pixels` shows single ones sharply."""
  kind = "pixels" if pixels else "plot"
  figures = "\n".join(
    f"<figure><figcaption>{html.escape(caption)}</figcaption>"
    f'<img class="{kind}" alt="{html.escape(caption)}" '
    f'src="data:image/png;base64,{base64.b64encode(png).decode()}"></figure>'
    for caption, png in pictures.items()
  )
  return f'{_heading(heading)}\n{_note(note)}\n<div class="columns">{figures}</div>'


def _heading(text):
  return f"<h2>{html.escape(text)}</h2>"


def _note(text):
  return f'<p class="note">{html.escape(text)}</p>' if text else ""
