"""The manifest of an export, manifest.json: writing, reading and checking files."""

import importlib.metadata
import itertools
import json
import math
import os
import pathlib
import platform
import re
import sys
from collections.abc import Mapping
from typing import Any

import disentangle_tf
from disentangle_tf.data import GroundTruthData, data_to_config
from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.export.manifest_check import check_manifest
from disentangle_tf.output_files import sha256_listing, sha256_tree, write_json
from disentangle_tf.text import printable

CONTRACT_VERSION = 2
_READ_VERSIONS = (1, 2)
MANIFEST = "manifest.json"
_FIELDS = ("contract_version", "data", "factor_names", "latents", "step", "sha256")
_MOST_BYTES = 4 * 2**20
_MOST_HYPER_PARAMETERS = 1_000
_PACKAGES = (
  "tensorflow",
  "keras",
  "tensorflow-probability",
  "numpy",
  "scikit-learn",
)


def write_manifest(
  directory: str | os.PathLike,
  *,
  data: GroundTruthData,
  latents: int,
  model: dict | None,
  config_text: str,
  hyper_parameters: Mapping,
  seed: int,
  step: int,
) -> None:
  """Write the manifest of the export in `directory`, with a sha256 of every file.

  Args:
    directory: the export's folder, complete except for the manifest.
    data: the `GroundTruthData` that the model was trained on.
    latents: number of latents.
    model: description of the model, see `model_to_config`, or None.
    config_text: see `write_export`.
    hyper_parameters: see `write_export`.
    seed: see `write_export`.
    step: see `write_export`.
  """
  manifest = {
    "contract_version": CONTRACT_VERSION,
    "data": {"name": data.name, **data_to_config(data)},
    "factor_names": list(data.factors.names),
    "latents": latents,
    "model": model,
    "seed": seed,
    "step": step,
    "config": config_text,
    "hyper_parameters": hyper_parameters,
    "versions": package_versions(),
    "sha256": sha256_tree(directory, skip=(MANIFEST,)),
  }
  write_json(pathlib.Path(directory) / MANIFEST, manifest)


def is_export(directory: str | os.PathLike) -> bool:
  """Whether the folder has a manifest of this project, intact or damaged."""
  path = pathlib.Path(directory) / MANIFEST
  return path.is_file() and is_manifest(directory)


def is_manifest(directory: str | os.PathLike) -> bool:
  """Whether its manifest.json is one of this project, intact or damaged."""
  try:
    content = _parse(pathlib.Path(directory) / MANIFEST)
  except (ValueError, RecursionError):
    return True
  return not isinstance(content, dict) or bool(set(content) & set(_FIELDS))


def read_manifest(
  directory: str | os.PathLike, *, shown_as: str | os.PathLike | None = None
) -> dict:
  """Read and check the manifest of an export.

  Args:
    directory: the export's folder.
    shown_as: name of the folder in messages, if it differs.

  Returns:
    A dictionary with the fields contract_version, data, factor_names, latents, model,
    seed, step, config, hyper_parameters, versions and sha256.

  Raises:
    UserError: the folder has no manifest.
    ModelError: the manifest is damaged or of an unknown contract version.

  Example:
    >>> import pathlib
    >>> from disentangle_tf import data, export, losses, models, networks
    >>> dataset = data.XYSquares(
    ...   image_size=8, square_size=4, grid_spacing=4, num_squares=1
    ... )
    >>> model = models.VAE(
    ...   networks.mlp_encoder((8, 8, 3), latents=2, units=(4,)),
    ...   networks.mlp_decoder((8, 8, 3), latents=2, units=(4,)),
    ...   losses.MSE(),
    ... )
    >>> folder = export.write_export(model, pathlib.Path("export"), data=dataset)
    >>> manifest = export.read_manifest(folder)
    >>> manifest["latents"], manifest["model"]["class"]
    (2, 'VAE')
  """
  path = pathlib.Path(directory) / MANIFEST
  directory = printable(shown_as or directory)
  if not path.is_file():
    raise UserError(
      f"{directory} is not an export: it has no {MANIFEST} "
      "(training writes an export to output_dir/export)"
    )
  try:
    manifest = _parse(path)
    if not isinstance(manifest, dict):
      raise ValueError("it has no fields")
    _check_version(directory, manifest.get("contract_version"))
    missing = [field for field in _FIELDS if field not in manifest]
    if missing:
      raise ValueError(f"it lacks {', '.join(missing)}")
    check_manifest(manifest)
  except ModelError:
    raise
  except (ValueError, RecursionError) as error:
    raise ModelError(
      f"{directory}/{MANIFEST} is damaged ({printable(error)}): export the model again"
    ) from error
  return manifest


def check_files(
  directory: str | os.PathLike,
  manifest: dict,
  *,
  shown_as: str | os.PathLike | None = None,
) -> None:
  """Raise a `ModelError` unless the files are exactly those that the manifest lists."""
  found, listed = sha256_tree(directory, skip=(MANIFEST,)), manifest["sha256"]
  directory = printable(shown_as or directory)
  for name in sorted(found.keys() | listed.keys()):
    if found.get(name) != listed.get(name):
      state = "missing" if name not in found else "changed or not listed"
      raise ModelError(
        f"{directory} is damaged: {printable(name)} is {state}; export it again"
      )


def hyper_parameters(manifest: dict) -> dict[str, Any]:
  """{name: finite number, truth value or string}; other values are left out."""
  found = manifest.get("hyper_parameters")
  kept = {}
  for name, value in found.items() if isinstance(found, dict) else ():
    if isinstance(value, str):
      kept[printable(name)] = printable(value, longest=2_000)
    elif isinstance(value, int | float) and abs(value) <= sys.float_info.max:
      kept[printable(name)] = value
  return dict(itertools.islice(kept.items(), _MOST_HYPER_PARAMETERS))


def family(manifest: dict) -> str | None:
  """Hash of everything in the configuration except the seed; None without one."""
  if not manifest.get("config"):
    return None
  lines = manifest["config"].splitlines()
  kept = [line for line in lines if not re.search(r"\bseed\b", line, re.IGNORECASE)]
  return sha256_listing([kept, manifest["data"], manifest["step"]])


def model_sha256(manifest: dict) -> str:
  """One sha256 for the whole model, computed from its files' names and hashes."""
  return sha256_listing(manifest["sha256"])


def _parse(path: pathlib.Path) -> Any:
  """Parse the JSON of a manifest; its size is limited and its numbers are finite."""
  if path.stat().st_size > _MOST_BYTES:
    raise ValueError(f"it is larger than {_MOST_BYTES:,} bytes")
  return json.loads(path.read_bytes(), parse_constant=_finite, parse_float=_finite)


def _finite(text: str) -> float:
  if not math.isfinite(number := float(text)):
    raise ValueError(f"{text} is not a finite number")
  return number


def _check_version(directory: str, version: Any) -> None:
  if type(version) is int and version not in _READ_VERSIONS:
    known = " and ".join(map(str, _READ_VERSIONS))
    raise ModelError(
      f"{directory} was exported under contract version {printable(version)}, this "
      f"program reads versions {known}: export it again, or use the program that "
      "wrote it"
    )
  if version is None:
    raise ValueError("it has no contract_version")


def package_versions() -> dict[str, str]:
  """Versions of Python and of the packages that affect results."""
  versions = {name: importlib.metadata.version(name) for name in _PACKAGES}
  return {
    "disentangle_tf": disentangle_tf.__version__,
    "python": platform.python_version(),
    **versions,
  }
