"""What every figure of a study's table promises."""

import numpy as np
from study_tables import made_up_study, shuffled, without_a_tenth

from disentangle_tf import plots


def small_study(**options):
  """A made-up study of 108 models."""
  return made_up_study(num_strengths=2, num_seeds=3, **options)


def run_figure_test(plot, table=None, **options):
  """Checks what every figure promises.

  It can be drawn though a tenth of the models and scores is missing, and its caption
  says so, and which evaluation it shows; the order of the rows changes nothing.

  Args:
    plot: function of a table that gives {file name: figure or text}.
    table: results table; a small made-up study by default.
    options: of `plot`.
  """
  table = without_a_tenth(small_study() if table is None else table)
  found, again = plot(table, **options), plot(shuffled(table), **options)
  assert found.keys() == again.keys() and found
  for file, figure in found.items():
    assert file.endswith(".md") == isinstance(figure, str)
    words = figure if isinstance(figure, str) else figure.get_supxlabel()
    words = words.replace("\n", " ")
    assert "evaluation of each training" in words
    assert "are missing or lack a score" in words
    assert "nan" not in words.split()
    assert shown(figure) == shown(again[file])
  pictures = [figure for figure in found.values() if not isinstance(figure, str)]
  assert plots.figure_to_png(pictures[0], dpi=30).startswith(b"\x89PNG")


def shown(figure):
  """All that a figure shows: its texts, and the bytes of lines, points and images."""
  if isinstance(figure, str):
    return [figure]
  parts = [figure.get_supxlabel()]
  for axis in figure.axes:
    parts += [axis.get_title(), axis.get_ylabel()]
    parts += [text.get_text() for text in axis.texts]
    parts += [line.get_xydata().tobytes() for line in axis.get_lines()]
    parts += [np.asarray(each.get_offsets()).tobytes() for each in axis.collections]
    parts += [image.get_array().tobytes() for image in axis.images]
  return parts


def maps_of(figure):
  """The axes that show an image."""
  return [axis for axis in figure.axes if axis.images]
