"""The description of a run's configuration, which a resumed run must still match."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Callable

from disentangle_tf.errors import UserError
from disentangle_tf.output_files import write_text


def _first_different_line(before: str, now: str) -> str | None:
  """The alphabetically first line that only one of the texts has, or None."""
  return min(set(before.splitlines()) ^ set(now.splitlines()), default=None)


@dataclasses.dataclass(frozen=True)
class RunDescription:
  """The configuration of a run of `train`, for people and for a later resume.

  Args:
    text: function that returns the configuration as text. It is called when everything
      is built, before anything is written.
    file_name: file of the text in the run's folder; None does not write it.
    changed_setting: function of two texts, that of the run's start and the present one.
      It returns the first setting that has changed and must not, or None.
    hyper_parameters: function that returns {name: number, truth value or text} for
      TensorBoard's HPARAMS page and the export's manifest. By default these are the
      arguments of the model, its parts and the data.
    measurements: function of the measurements of `Scoring` that adds the configured
      options of their metrics. It is called before `text`; by default nothing changes.

  Example:
    >>> from disentangle_tf import training
    >>> description = training.RunDescription(lambda: "beta 4", "notes.txt")
    >>> description.changed_setting("beta 4", "beta 8")
    'beta 4'
  """

  text: Callable[[], str] = str
  file_name: str | None = None
  changed_setting: Callable[[str, str], str | None] = _first_different_line
  hyper_parameters: Callable[[], dict] | None = None
  measurements: Callable[[tuple], list] = list

  def check_unchanged(self, folder: pathlib.Path, text: str) -> None:
    """Raise a `UserError` unless the run in `folder` began with the same settings."""
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

  def write(self, folder: pathlib.Path, text: str) -> None:
    """Write the text in `folder`."""
    if self.file_name is not None:
      write_text(folder / self.file_name, text)
