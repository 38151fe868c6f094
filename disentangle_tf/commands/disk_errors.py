"""Errors of full or read-only disks, as one line for people."""

import errno
import os
import re

_ADVICE = {
  errno.ENOSPC: "make room",
  errno.EDQUOT: "make room",
  errno.EFBIG: "raise the limit of file sizes (ulimit -f)",
  errno.EROFS: "name another folder",
  errno.EACCES: "name another folder, or ask for the right",
}


def explain_disk(error):
  """One line about what the disk refuses, or None if `error` is something else.

  TensorFlow's errors tell it by the operating system's words alone.
  """
  kinds = {kind.__module__.partition(".")[0] for kind in type(error).__mro__}
  if not (isinstance(error, OSError) or "tensorflow" in kinds):
    return None
  text = " ".join(str(error).split())
  if "No usable temporary directory" in text:
    return "there is no folder for temporary files: set TMPDIR to one, with some room"
  for number, advice in _ADVICE.items():
    words = os.strerror(number)
    if words in text:
      path = re.search(rf"(/[^{{}}]*); {words}|{words}: '(.+?)'", text)
      place = f" ({path.group(1) or path.group(2)})" if path else ""
      return f"{words}{place}: {advice}, and run this again"
  return None
