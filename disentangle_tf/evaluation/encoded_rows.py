"""Codes of single images, kept for all that were asked for."""

import numpy as np


class EncodedRows:
  """Each row is encoded when it is first asked for, and takes memory from then on.

  Codes may have thousands of numbers, and the set a million images of which a protocol
  sees some thousands: a table of them all would not fit. Where even what was asked for
  is too much, it is forgotten, and encoded again if need be.

  Args:
    encode: rows [N], ascending -> (means, log_variances or None), each [N, latents].
    most_bytes: of codes that are kept, unless more are asked for at a time.
  """

  def __init__(self, encode, *, most_bytes=2**30):
    self._encode = encode
    self._most_bytes = most_bytes
    self._forget()

  def __getitem__(self, rows):
    """(codes, log_variances or None), each [N, latents], of the rows [N]."""
    missing = self._missing(rows)
    if len(missing) and self._bytes_with(len(missing)) > self._most_bytes:
      self._forget()
      missing = self._missing(rows)
    if len(missing):
      self._add(missing, *self._encode(missing))
    places = self._places[np.searchsorted(self._rows, rows)]
    if self._log_variances is None:
      return self._codes[places], None
    return self._codes[places], self._log_variances[places]

  def _forget(self):
    self._rows = np.empty(0, np.int64)  # those that are known, ascending
    self._places = np.empty(0, np.int64)  # where the codes of each are
    self._codes = self._log_variances = None

  def _missing(self, rows):
    if not len(self._rows):
      return np.unique(rows)
    nearest = np.searchsorted(self._rows, rows)
    known = np.take(self._rows, nearest, mode="clip") == rows
    return np.unique(rows[~known])

  def _bytes_with(self, further):
    if self._codes is None:
      return 0
    arrays = 1 if self._log_variances is None else 2
    return (len(self._codes) + further) * self._codes[0].nbytes * arrays

  def _add(self, rows, means, log_variances):
    if self._codes is None:
      self._codes, self._log_variances = means, log_variances
    else:
      _append(self._codes, means)
      if log_variances is not None:
        _append(self._log_variances, log_variances)
    known = len(self._rows)
    every = np.concatenate([self._rows, rows])
    order = np.argsort(every, kind="stable")
    self._rows = every[order]
    places = np.arange(known, known + len(rows))
    self._places = np.concatenate([self._places, places])[order]


def _append(array, rows):
  """In place: a copy would take twice the memory."""
  known = len(array)
  array.resize((known + len(rows), array.shape[1]), refcheck=False)
  array[known:] = rows
