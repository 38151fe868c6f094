"""A data set with a learned change of every image: `Manipulated`."""

import json
import os
import pathlib
from typing import Self

import numpy as np
import numpy.typing as npt
import tensorflow as tf

from disentangle_tf.arguments import check_truth
from disentangle_tf.data.factor_space import grid_index
from disentangle_tf.data.ground_truth_data import GroundTruthData
from disentangle_tf.data.sets.wrappers import fold
from disentangle_tf.errors import UserError
from disentangle_tf.output_files import sha256_file

MANIFEST, PLACE, CURVE = "manifest.json", "place.npy", "curve.npy"
FORMAT = 1
_LARGEST_MANIFEST = 10_000_000  # bytes


class Manipulated(GroundTruthData):
  """Another set's images, each with a small change added.

  The folder holds the whole manipulation as two arrays. `curve.npy`, int8 [places,
  height, width, channels] in 255ths, holds the changes. `place.npy`, uint16 [images],
  says which change each image gets. The sums are folded into [0, 1]. The result has the
  same bits on every device.

  Args:
    data: the `GroundTruthData` that was manipulated.
    folder: written by `adversary.manipulate`, `adversary.write_manipulation` or
      `bin/manipulate.py`; no code in it is run.

  Attributes:
    epsilon: the largest change of a pixel.
    manifest: the content of manifest.json.

  Raises:
    UserError: the folder is damaged, or manipulates another set.

  Example:
    >>> import hashlib, json, pathlib
    >>> import numpy as np
    >>> from disentangle_tf import data
    >>> np.save("place.npy", np.zeros(169, np.uint16))  # all images get change 0:
    >>> np.save("curve.npy", np.full([1, 16, 16, 1], 25, np.int8))  # 25 / 255 brighter
    >>> manifest = {
    ...   "manipulation_format": 1,
    ...   "data": data.data_to_config(data.Spot()),
    ...   "epsilon": 0.1,
    ...   "sha256": {
    ...     name: hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest()
    ...     for name in ("place.npy", "curve.npy")
    ...   },
    ... }
    >>> _ = pathlib.Path("manifest.json").write_text(json.dumps(manifest))
    >>> data.Manipulated(data.Spot(), ".").name
    'spot_manipulated'

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", section 4.4.
  """

  def __init__(self, data: GroundTruthData, folder: str | os.PathLike) -> None:
    self.data = data
    self.folder = os.path.abspath(folder)
    self.manifest = read_manifest(folder)
    self._check_data()
    self.epsilon = float(self.manifest["epsilon"])
    self.name = f"{data.name}_manipulated"
    self.factors = data.factors
    self.observation_shape = data.observation_shape
    self.renders_on_device = data.renders_on_device
    self._place = self._read(PLACE, np.uint16, (len(data),)).astype(np.int32)
    places = int(self._place.max()) + 1
    curve = self._read(CURVE, np.int8, (None, *data.observation_shape))
    if places > len(curve) or np.abs(curve.astype(np.int16)).max() > 255 * self.epsilon:
      raise UserError(f"{self.folder}: the arrays do not fit each other or epsilon")
    self._curve = curve.astype(np.float32) / np.float32(255)

  @classmethod
  def from_folder(cls, path: str | os.PathLike, *, trusted: bool = False) -> Self:
    """Make the set of a folder, with the data set that its manifest names.

    Args:
      path: the folder.
      trusted: whether you trust the folder's author. Otherwise the manifest may name
        only data sets that read no files.

    Returns:
      The `Manipulated` set.
    """
    from disentangle_tf.data.serialisation import check_foreign_data, data_from_config

    config = read_manifest(path)["data"]
    check_truth("from_folder", trusted=trusted)
    try:
      if not trusted:
        check_foreign_data(config)
    except UserError as error:
      raise UserError(
        f"{path} is a manipulation of a set that reads files: if you trust the folder, "
        "set trusted (data.Manipulated.from_folder.trusted) to True"
      ) from error
    return cls(data_from_config(config), path)

  def observe(
    self, factors: np.ndarray | tf.Tensor, seed: tf.Tensor | None = None
  ) -> tf.Tensor:
    place = tf.gather(tf.constant(self._place), grid_index(self.factors, factors))
    pictures = tf.gather(tf.constant(self._curve), place)
    return fold(self.data.observe(factors, seed) + pictures)

  def _check_data(self) -> None:
    from disentangle_tf.data.serialisation import data_to_config

    # JSON has no tuples.
    given = json.loads(json.dumps(data_to_config(self.data)))
    if given != self.manifest["data"]:
      raise UserError(
        f"{self.folder} is a manipulation of {self.manifest['data']}, not of {given}"
      )
    if not self.data.one_image_per_point:
      raise UserError(f"Manipulated: {self.data.name} has several images per point")

  def _read(
    self, name: str, dtype: npt.DTypeLike, shape: tuple[int | None, ...]
  ) -> np.ndarray:
    path = pathlib.Path(self.folder) / name
    try:
      if sha256_file(path) != self.manifest["sha256"][name]:
        raise UserError(f"{path} has changed since it was written: restore it")
      array = np.load(path, allow_pickle=False)
    except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
      raise UserError(f"{path} cannot be read: {error}") from error
    fits = len(array.shape) == len(shape) and all(
      wanted in (None, found) for wanted, found in zip(shape, array.shape, strict=True)
    )
    if array.dtype != dtype or not fits or not array.size:
      raise UserError(f"{path} holds {array.dtype} {array.shape}, expected {shape}")
    return array


def read_manifest(folder: str | os.PathLike) -> dict:
  """Read and check the manifest of a manipulation."""
  path = pathlib.Path(folder) / MANIFEST
  try:
    if path.stat().st_size > _LARGEST_MANIFEST:
      raise ValueError("it is too large")
    manifest = json.loads(path.read_text(encoding="utf-8"))
    epsilon = manifest["epsilon"]
    if manifest["manipulation_format"] != FORMAT:
      raise ValueError(f"its format is {manifest['manipulation_format']}")
    if type(epsilon) not in (int, float) or not 0 < epsilon < 0.5:
      raise ValueError(f"its epsilon is {epsilon!r}")
    if not all(isinstance(manifest[key], dict) for key in ("data", "sha256")):
      raise ValueError("data or sha256 is missing")
  except FileNotFoundError as error:
    raise UserError(
      f"{folder} is no manipulated set: there is no {MANIFEST}; name the folder that "
      "bin/manipulate.py wrote, or choose another data set (data=...)"
    ) from error
  except (OSError, ValueError, KeyError, TypeError) as error:
    raise UserError(f"{path} is no manifest of a manipulated set: {error}") from error
  return manifest
