"""Resume interrupted downloads and unpack archives safely."""

import contextlib
import http.client
import os
import pathlib
import shutil
import tarfile
import time
import urllib.error
import urllib.request
from typing import IO, cast

import tqdm

from disentangle_tf import output_files
from disentangle_tf.data.files.official_files import OfficialFile
from disentangle_tf.data.files.reading import reading
from disentangle_tf.errors import UserError

_CHUNK = 1 << 20
_TIMEOUT = 60  # seconds without a byte


def download(
  file: OfficialFile,
  folder: str | os.PathLike,
  *,
  attempts: int = 5,
  pause: float = 1.0,
) -> str:
  """Download an `OfficialFile` into `folder`, unless it is there and correct.

  The bytes go to NAME.part. The next attempt, or the next call, resumes from there. The
  file is renamed when its size and hash are correct.

  Args:
    file: the `OfficialFile`.
    folder: the folder to download to.
    attempts: number of failures in a row, without a new byte, after which an address is
      given up.
    pause: seconds before the second attempt; doubled for each further one.

  Returns:
    The sha256 of the file.
  """
  path = pathlib.Path(folder) / file.name
  if path.exists():
    return check_file(file, path)
  part = path.with_name(f"{path.name}.part")
  path.parent.mkdir(parents=True, exist_ok=True)
  reasons = []
  for url in file.urls:
    reason = _fetch_patiently(url, part, attempts, pause)
    if reason is None:
      sha256 = _check_part(file, part)
      part.rename(path)
      return sha256
    reasons.append(f"{url}: {reason}")
  raise UserError(
    f"cannot download {file.name} ({'; '.join(reasons)}): run this again to resume "
    "the download, or fetch it by hand and run python bin/prepare_data.py prepare "
    f"{file.data_set} --from FOLDER"
  )


def check_file(file: OfficialFile, path: pathlib.Path) -> str:
  """Return the sha256 of `path`; a `UserError` if the `OfficialFile` differs."""
  size = path.stat().st_size
  if file.size not in (None, size):
    raise UserError(
      f"{path} is not the official file: it has {size:,} bytes, expected "
      f"{file.size:,}; move it away and fetch it again"
    )
  sha256 = output_files.sha256_file(path)
  if file.sha256 not in (None, sha256):
    raise UserError(
      f"{path} is not the official file: its sha256 is {sha256}, expected "
      f"{file.sha256}; move it away and fetch it again"
    )
  return sha256


def _check_part(file: OfficialFile, part: pathlib.Path) -> str:
  """Check a finished download and delete a wrong one, so that none resumes from it."""
  try:
    return check_file(file, part)
  except UserError:
    part.unlink()
    raise


def _fetch_patiently(
  url: str, part: pathlib.Path, attempts: int, pause: float
) -> str | None:
  """Fetch `part` with several attempts; return None, or the reason of the failure."""
  failures = 0
  while True:
    before = _size(part)
    try:
      _fetch(url, part)
      return None
    except urllib.error.HTTPError as error:
      if error.code < 500 and error.code not in (408, 429):
        return f"HTTP {error.code} {error.reason}"
      reason = f"HTTP {error.code} {error.reason}"
    except (OSError, http.client.HTTPException) as error:
      reason = " ".join(str(error).split()) or type(error).__name__
    failures = 1 if _size(part) > before else failures + 1
    if failures >= attempts:
      return reason
    time.sleep(pause * 2 ** (failures - 1))


def _fetch(url: str, part: pathlib.Path) -> None:
  """Request the bytes that `part` lacks."""
  start = _size(part)
  request = urllib.request.Request(url, headers={"User-Agent": "disentangle_tf"})
  if start:
    request.add_header("Range", f"bytes={start}-")
  with contextlib.ExitStack() as stack:
    try:
      response = stack.enter_context(urllib.request.urlopen(request, timeout=_TIMEOUT))
    except urllib.error.HTTPError as error:
      if error.code != 416:
        raise
      if error.headers.get("Content-Range") == f"bytes */{start}":
        return  # the file is complete
      part.unlink()
      raise ConnectionError("the partial download did not fit the file") from error
    if response.status != 206:
      start = 0  # the server sends the whole file again
    length = response.headers.get("Content-Length")
    total = None if length is None else start + int(length)
    output = stack.enter_context(open(part, "ab" if start else "wb"))
    name = part.name.removesuffix(".part")
    bar = stack.enter_context(
      tqdm.tqdm(
        total=total, initial=start, desc=name, unit="B", unit_scale=True, disable=None
      )
    )
    while block := response.read(_CHUNK):
      output.write(block)
      bar.update(len(block))
    if total is not None and output.tell() != total:
      raise ConnectionError(f"the connection broke after {output.tell():,} bytes")


def _size(path: pathlib.Path) -> int:
  return path.stat().st_size if path.exists() else 0


_LARGEST = 1 << 31  # bytes; the file of a car has a few million


def unpack_cars(archive: pathlib.Path, folder: pathlib.Path) -> None:
  """Write the files cars/*.mat of a tar archive to the new `folder`.

  Only plain files are unpacked, without their folders, so nothing is written elsewhere.
  An archive with unsafe names is refused as a whole.
  """
  folder.parent.mkdir(parents=True, exist_ok=True)
  with (
    reading(archive),
    tarfile.open(archive, "r|gz") as members,
    output_files.whole_directory(folder) as temporary,
  ):
    for member in members:
      path = pathlib.PurePosixPath(member.name)
      if path.is_absolute() or ".." in path.parts or member.size > _LARGEST:
        raise UserError(
          f"{archive} is not the official file: its member {member.name!r} has an "
          "unsafe name or size"
        )
      if member.isfile() and path.suffix == ".mat" and path.parent.name == "cars":
        with open(temporary / path.name, "xb") as output:
          shutil.copyfileobj(cast("IO[bytes]", members.extractfile(member)), output)
    if not any(temporary.iterdir()):
      raise UserError(f"{archive} is not the official file: it has no cars/*.mat")
