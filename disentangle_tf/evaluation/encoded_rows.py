"""Codes of single images, encoded on first use and kept."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


class EncodedRows:
  """Codes of rows, each encoded on first use and then kept in memory.

  Codes may have thousands of numbers, and a data set a million images of which a
  protocol uses thousands, so a table of all rows would not fit. If the kept codes take
  too much memory, they are dropped and encoded again when needed.

  Args:
    encode: rows [N], ascending -> (means, log_variances or None), each [N, latents].
    most_bytes: memory of the kept codes, unless one request needs more.
  """

  def __init__(
    self,
    encode: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray | None]],
    *,
    most_bytes: int = 2**30,
  ) -> None:
    self._encode = encode
    self._most_bytes = most_bytes
    self._forget()

  def __getitem__(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """(codes, log_variances or None), each [N, latents], of the rows [N]."""
    missing = self._missing(rows)
    if len(missing) and self._bytes_with(len(missing)) > self._most_bytes:
      self._forget()
      missing = self._missing(rows)
    if len(missing):
      self._add(missing, *self._encode(missing))
    places = self._places[np.searchsorted(self._rows, rows)]
    assert self._codes is not None  # rows are never empty
    if self._log_variances is None:
      return self._codes[places], None
    return self._codes[places], self._log_variances[places]

  def _forget(self) -> None:
    self._rows = np.empty(0, np.int64)  # the kept rows, ascending
    self._places = np.empty(0, np.int64)  # position of the codes of each row
    self._codes: np.ndarray | None = None
    self._log_variances: np.ndarray | None = None

  def _missing(self, rows: np.ndarray) -> np.ndarray:
    if not len(self._rows):
      return np.unique(rows)
    nearest = np.searchsorted(self._rows, rows)
    known = np.take(self._rows, nearest, mode="clip") == rows
    return np.unique(rows[~known])

  def _bytes_with(self, further: int) -> int:
    if self._codes is None:
      return 0
    arrays = 1 if self._log_variances is None else 2
    return (len(self._codes) + further) * self._codes[0].nbytes * arrays

  def _add(
    self, rows: np.ndarray, means: np.ndarray, log_variances: np.ndarray | None
  ) -> None:
    if self._codes is None:
      self._codes, self._log_variances = means, log_variances
    else:
      _append(self._codes, means)
      if log_variances is not None and self._log_variances is not None:
        _append(self._log_variances, log_variances)
    known = len(self._rows)
    every = np.concatenate([self._rows, rows])
    order = np.argsort(every, kind="stable")
    self._rows = every[order]
    places = np.arange(known, known + len(rows))
    self._places = np.concatenate([self._places, places])[order]


def _append(array: np.ndarray, rows: np.ndarray) -> None:
  """Append in place: a copy would take twice the memory."""
  known = len(array)
  array.resize((known + len(rows), array.shape[1]), refcheck=False)
  array[known:] = rows
