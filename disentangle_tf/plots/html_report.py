"""One self-contained HTML page that puts models side by side."""

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
.columns {{ display: grid; gap: 1.5rem;
            grid-template-columns: repeat({columns}, 1fr); }}
figure {{ margin: 0; }}
figcaption {{ font-weight: 600; margin-bottom: .3rem; }}
img {{ max-width: 100%; height: auto; }}
img.pixels {{ width: 100%; image-rendering: pixelated; }}
p.note {{ color: #555; margin: .2rem 0 .8rem; max-width: 75ch; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{introduction}</p>
<h2>Scores</h2>
{table}
<p class="note">{table_note}</p>
{sections}
</body>
</html>
"""


def html_report(*, title, introduction, scores, table_note, sections):
  """The page's text, pictures included.

  Args:
    title, introduction, table_note: plain text.
    scores: {row name: {column name: float}}; the highest of each column is bold.
    sections: [(heading, note, {caption: PNG bytes}, whether to show single pixels)],
      the pictures of a section side by side.
  """
  return _PAGE.format(
    title=html.escape(title),
    introduction=html.escape(introduction),
    columns=max(len(pictures) for _, _, pictures, _ in sections),
    table=_table(scores),
    table_note=html.escape(table_note),
    sections="\n".join(_section(*section) for section in sections),
  )


def _table(scores):
  columns = list(next(iter(scores.values())))
  best = {column: max(row[column] for row in scores.values()) for column in columns}
  head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
  lines = [f"<tr><th></th>{head}</tr>"]
  for name, row in scores.items():
    cells = "".join(
      f'<td class="{"best" if row[column] == best[column] else "other"}">'
      f"{row[column]:.3f}</td>"
      for column in columns
    )
    lines.append(f"<tr><td>{html.escape(name)}</td>{cells}</tr>")
  return "<table>\n" + "\n".join(lines) + "\n</table>"


def _section(heading, note, pictures, pixels):
  figures = "\n".join(
    f"<figure><figcaption>{html.escape(caption)}</figcaption>"
    f'<img class="{"pixels" if pixels else "plot"}" alt="{html.escape(caption)}" '
    f'src="data:image/png;base64,{base64.b64encode(png).decode()}"></figure>'
    for caption, png in pictures.items()
  )
  return (
    f'<h2>{html.escape(heading)}</h2>\n<p class="note">{html.escape(note)}</p>\n'
    f'<div class="columns">{figures}</div>'
  )
