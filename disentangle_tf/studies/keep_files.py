"""Files of a finished run that are kept."""

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
  """Remove the files in a run's folder that the study wrote and should not keep.

  Args:
    folder: the `RunFolder` of a run that is done.
    keep: one of `KEEP`.
  """
  if folder.state == "done":
    for name in _REMOVED[keep]:
      shutil.rmtree(folder.path / name, ignore_errors=True)
