"""Writes what a loss perceives of a data set: tables and figures."""

import os

from disentangle_tf.output_files import whole_output_dir
from disentangle_tf.perceived.perception import Perception
from disentangle_tf.perceived.write_tables import Published, write_tables
from disentangle_tf.pictures.perceived_figures import perceived_figures
from disentangle_tf.pictures.write_pictures import write_pictures


def write_perceived(
  found: Perception,
  output_dir: str | os.PathLike,
  *,
  overwrite: bool = False,
  published: Published | None = None,
) -> None:
  """Write importance.json, agreement.json, tables and figures: all, or nothing.

  Args:
    found: the `perceived.Perception`.
    output_dir: folder for the results.
    overwrite: move an existing `output_dir` aside first.
    published: published numbers, see `perceived.write_tables`.

  Example:
    >>> import pathlib
    >>> from disentangle_tf import data, perceived, pictures
    >>> squares = data.XYSquares(
    ...   image_size=4, square_size=2, num_squares=1, grid_spacing=2
    ... )
    >>> few = {"num_pairs": 9, "num_curve_pairs": 9, "num_traversals": 2}
    >>> found = perceived.perceive(data=squares, **few)
    >>> pictures.write_perceived(found, "perceived")
    >>> sorted(path.name for path in pathlib.Path("perceived").glob("*.json"))
    ['agreement.json', 'importance.json']
  """
  with whole_output_dir(output_dir, overwrite=overwrite) as folder:
    write_tables(found, folder, published=published)
    write_pictures(folder, perceived_figures(found))
