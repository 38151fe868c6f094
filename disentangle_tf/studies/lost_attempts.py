"""Attempts at a run that ended by a signal or by a lack of memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from disentangle_tf.output_files import write_json
from disentangle_tf.studies.run_folder import LOST

if TYPE_CHECKING:
  from disentangle_tf.studies.run_folder import RunFolder

MOST_SEEN = 3  # attempts whose end was observed
MOST = 10  # including those of workers that were found to be gone


def record_lost_attempt(
  folder: RunFolder, how: Mapping[str, Any], *, seen: bool = False
) -> bool:
  """Record that an attempt was lost; returns whether to make another one.

  A run that lost too many attempts has failed.

  Args:
    folder: the `RunFolder`.
    how: what is known of the attempt, as JSON.
    seen: whether only the worker was lost, not the process that started it. A worker
      that is merely found to be gone may have ended together with the whole study,
      which the run did not cause.
  """
  path = folder.path / LOST
  lost = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
  lost.append({"seen": seen, **how})
  write_json(path, lost)
  if sum(each["seen"] for each in lost) < MOST_SEEN and len(lost) < MOST:
    return True
  lines = how.get("last_lines") or [f"lost {len(lost)} times, see {path.name}"]
  folder.record_failure(
    {"run": how.get("run"), "exit_code": how.get("exit_code"), "last_lines": lines}
  )
  return False
