"""The manifest of an export, manifest.json: written, read, and its files checked."""

import importlib.metadata
import itertools
import json
import math
import pathlib
import platform
import re
import sys

import disentangle_tf
from disentangle_tf.data import data_to_config
from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.export.manifest_check import check_manifest
from disentangle_tf.output_files import sha256_listing, sha256_tree, write_json
from disentangle_tf.strangers_text import printable

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
  directory,
  *,
  data,
  latents,
  model,
  config_text,
  hyper_parameters,
  seed,
  step,
):
  """Describes the export in `directory`, with a sha256 of every file in it.

  Args:
    directory: its folder, complete but for the manifest.
    data: the `GroundTruthData` it was trained on.
    latents: their number.
    model: what made it, as of `model_to_config`, or None.
    config_text, hyper_parameters, seed, step: as of `write_export`.
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


def is_export(directory):
  """Whether the folder has a manifest of ours, whole or damaged."""
  path = pathlib.Path(directory) / MANIFEST
  return path.is_file() and is_manifest(directory)


def is_manifest(directory):
  """Whether the manifest.json there is one of ours, whole or damaged."""
  try:
    content = _parse(pathlib.Path(directory) / MANIFEST)
  except (ValueError, RecursionError):
    return True
  return not isinstance(content, dict) or bool(set(content) & set(_FIELDS))


def read_manifest(directory, *, shown_as=None):
  """The manifest of an export, checked; a `ModelError` says what is wrong with it.

  `shown_as` is what the user calls the folder, if that is another name.
  """
  path = pathlib.Path(directory) / MANIFEST
  directory = printable(shown_as or directory)
  if not path.is_file():
    raise UserError(
      f"{directory} is not an export: it has no {MANIFEST} "
      "(bin/train.py writes one to OUTPUT_DIR/export)"
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


def check_files(directory, manifest, *, shown_as=None):
  """Raises a `ModelError` unless the files are those the manifest lists."""
  found, listed = sha256_tree(directory, skip=(MANIFEST,)), manifest["sha256"]
  directory = printable(shown_as or directory)
  for name in sorted(found.keys() | listed.keys()):
    if found.get(name) != listed.get(name):
      state = "missing" if name not in found else "changed or not listed"
      raise ModelError(
        f"{directory} is damaged: {printable(name)} is {state}; export it again"
      )


def hyper_parameters(manifest):
  """{name: finite number, truth value or text}; whatever else there is, is not."""
  found = manifest.get("hyper_parameters")
  kept = {}
  for name, value in found.items() if isinstance(found, dict) else ():
    if isinstance(value, str):
      kept[printable(name)] = printable(value, longest=2_000)
    elif isinstance(value, int | float) and abs(value) <= sys.float_info.max:
      kept[printable(name)] = value
  return dict(itertools.islice(kept.items(), _MOST_HYPER_PARAMETERS))


def family(manifest):
  """The same text for all seeds of a model: a hash of all else that made it."""
  if not manifest.get("config"):
    return None
  lines = manifest["config"].splitlines()
  kept = [line for line in lines if not re.search(r"\bseed\b", line, re.IGNORECASE)]
  return sha256_listing([kept, manifest["data"], manifest["step"]])


def model_sha256(manifest):
  """One sha256 for the whole model: of its files' names and hashes."""
  return sha256_listing(manifest["sha256"])


def _parse(path):
  """The JSON in a file, as large as manifests are, with finite numbers alone."""
  if path.stat().st_size > _MOST_BYTES:
    raise ValueError(f"it is larger than {_MOST_BYTES:,} bytes")
  return json.loads(path.read_bytes(), parse_constant=_finite, parse_float=_finite)


def _finite(text):
  if not math.isfinite(number := float(text)):
    raise ValueError(f"{text} is no number")
  return number


def _check_version(directory, version):
  if type(version) is int and version not in _READ_VERSIONS:
    known = " and ".join(map(str, _READ_VERSIONS))
    raise ModelError(
      f"{directory} was exported under contract version {printable(version)}, this "
      f"program reads versions {known}: export it again, or use the program that "
      "wrote it"
    )
  if version is None:
    raise ValueError("it has no contract_version")


def package_versions():
  """Versions of Python and of the packages that numbers depend on."""
  versions = {name: importlib.metadata.version(name) for name in _PACKAGES}
  return {
    "disentangle_tf": disentangle_tf.__version__,
    "python": platform.python_version(),
    **versions,
  }
