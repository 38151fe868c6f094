"""What a run says of its configuration, and whether a resumed one still says it."""

import dataclasses
from collections.abc import Callable

from disentangle_tf.errors import UserError
from disentangle_tf.output_files import write_text


def _first_different_line(before, now):
  """The alphabetically first line that only one of the texts has, or None."""
  return min(set(before.splitlines()) ^ set(now.splitlines()), default=None)


@dataclasses.dataclass(frozen=True)
class RunDescription:
  """The configuration of a run of `train`, for people and for a later resume.

  Args:
    text: gives the configuration as text; called once everything is built, and before
      anything is written.
    file_name: where the text is kept in the run's folder; None keeps it nowhere.
    changed_setting: function of the text that the run began with and that of now; it
      gives the first setting that has changed and must not, or None.
    hyper_parameters: gives {name: number, truth value or text} then, for TensorBoard's
      HPARAMS page and the export's manifest; by default what the model, its parts and
      the data were made with.
    measurements: gives the measurements of `Scoring` with what the configuration says
      of their metrics; called before the text is; by default as they are.

  Example:
    train(..., description=RunDescription(lambda: "beta 4", "notes.txt"))
  """

  text: Callable[[], str] = str
  file_name: str | None = None
  changed_setting: Callable[[str, str], str | None] = _first_different_line
  hyper_parameters: Callable[[], dict] | None = None
  measurements: Callable[[tuple], list] = list

  def check_unchanged(self, folder, text):
    """Raises a `UserError` unless the run in `folder` began with the same settings."""
    if self.file_name is None or not (folder / self.file_name).exists():
      return
    path = folder / self.file_name
    changed = self.changed_setting(path.read_text(), text)
    if changed is not None:
      raise UserError(
        f"{path} differs from this configuration in {changed!r}: resume with the "
        "settings the run began with (only the steps may change), or name another "
        "output_dir"
      )

  def write(self, folder, text):
    """Keeps the text in `folder`."""
    if self.file_name is not None:
      write_text(folder / self.file_name, text)
