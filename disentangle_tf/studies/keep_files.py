"""Which files of a finished run stay."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
  from disentangle_tf.studies.run_folder import RunFolder

KEEP = ("all", "export", "scores")
_REMOVED = {
  "all": (),
  "export": ("checkpoints",),
  "scores": ("checkpoints", "export", "tensorboard"),
}


def keep_files(folder: RunFolder, keep: str) -> None:
  """Removes what the study itself made in a run's folder and is not to be kept.

  Args:
    folder: the `RunFolder` of a run that is done.
    keep: one of `KEEP`.
  """
  if folder.state == "done":
    for name in _REMOVED[keep]:
      shutil.rmtree(folder.path / name, ignore_errors=True)
