"""Writes what a loss perceives of a data set: tables and figures."""

from disentangle_tf.output_files import whole_output_dir
from disentangle_tf.perceived.write_tables import write_tables
from disentangle_tf.pictures.perceived_figures import perceived_figures
from disentangle_tf.pictures.write_pictures import write_pictures


def write_perceived(found, output_dir, *, overwrite=False):
  """Writes importance.json, agreement.json, tables and figures: all, or nothing.

  Args:
    found: the `perceived.Perception`.
    output_dir: folder for the results.
    overwrite: move an existing `output_dir` aside first.
  """
  with whole_output_dir(output_dir, overwrite=overwrite) as folder:
    write_tables(found, folder)
    write_pictures(folder, perceived_figures(found))
