"""Addresses and hashes of the official files, and the folder that holds them."""

import dataclasses
import os
import pathlib


def data_folder() -> pathlib.Path:
  """Return DISENTANGLE_TF_DATA if it is set, else ~/.cache/disentangle_tf."""
  chosen = os.environ.get("DISENTANGLE_TF_DATA")
  return pathlib.Path(chosen or "~/.cache/disentangle_tf").expanduser()


@dataclasses.dataclass(frozen=True)
class OfficialFile:
  """One file of a data set.

  Attributes:
    data_set: name of the set it belongs to.
    name: name of the file.
    urls: addresses of the file, tried in this order.
    size: bytes, if known.
    sha256: hexadecimal, if known.
    unpacked: name of its unpacked content, which may replace the file.
  """

  data_set: str
  name: str
  urls: tuple[str, ...]
  size: int | None = None
  sha256: str | None = None
  unpacked: str | None = None


def files_of(data_set: str) -> tuple[OfficialFile, ...]:
  """Return the official files of a data set, in the order of the table."""
  return tuple(file for file in OFFICIAL_FILES if file.data_set == data_set)


def _norb(part: str, size: int, sha256: str) -> OfficialFile:
  name = f"smallnorb-5x{part}.mat.gz"
  url = f"https://cs.nyu.edu/~ylclab/data/norb-v1.0-small/{name}"
  return OfficialFile("smallnorb", name, (url,), size, sha256, name[:-3])


def _mpi3d(version: str, older_name: str) -> OfficialFile:
  """The authors moved the files from their bucket, where names differed, to a hub."""
  name = f"mpi3d_{version}.npz"
  urls = (
    f"https://huggingface.co/datasets/waleedgondal/mpi3d/resolve/main/{name}",
    f"https://storage.googleapis.com/mpi3d_disentanglement_dataset/data/{older_name}",
  )
  return OfficialFile(f"mpi3d_{version}", name, urls)


OFFICIAL_FILES = (
  OfficialFile(
    "shapes3d",
    "3dshapes.h5",
    ("https://storage.googleapis.com/3d-shapes/3dshapes.h5",),
    267573662,
    "0a0f6ed98baff276a50f3a081a7434d788da63cb135a98189b2a5b5769be1785",
  ),
  OfficialFile(
    "cars3d",
    "nips2015-analogy-data.tar.gz",
    ("http://www.scottreed.info/files/nips2015-analogy-data.tar.gz",),
    unpacked="cars",
  ),
  _norb(
    "46789x9x18x6x2x96x96-training-dat",
    131896188,
    "5ffd6272a07d32695ee1082a26a41a93a37aab8c28da047f8c34ed348d214873",
  ),
  _norb(
    "46789x9x18x6x2x96x96-training-cat",
    348,
    "2784e542c1922060691090952b6cd6278879a216c90f81476f0f00256d42cdaa",
  ),
  _norb(
    "46789x9x18x6x2x96x96-training-info",
    71052,
    "de7eb932ebe7a4ee16217fead60660d0eb3d23632c2f4d1c51f88c501c17bf32",
  ),
  _norb(
    "01235x9x18x6x2x96x96-testing-dat",
    130799817,
    "cf7104eed3e51174d2f65b66d1e5878b9da233b886f161b0d88f4510ba2c7474",
  ),
  _norb(
    "01235x9x18x6x2x96x96-testing-cat",
    347,
    "ecaf6d5bb8c3bc5eab9cf0258f6d2198dd474e016e374836fc097f2e5ff509ff",
  ),
  _norb(
    "01235x9x18x6x2x96x96-testing-info",
    10428,
    "16adf314226327ee006d1a44db8cfef52773c06c829951d5653a9f6f310248a2",
  ),
  _mpi3d("toy", "mpi3d_toy.npz"),
  _mpi3d("realistic", "mpi3d_realistic.npz"),
  _mpi3d("real", "real.npz"),
)
