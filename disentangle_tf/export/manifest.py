"""manifest.json: what an export says about itself."""

import importlib.metadata
import json
import pathlib
import platform

import disentangle_tf
from disentangle_tf.data import data_to_config
from disentangle_tf.errors import UserError
from disentangle_tf.output_files import sha256_listing, sha256_tree, write_json

CONTRACT_VERSION = 1
MANIFEST = "manifest.json"
_FIELDS = ("contract_version", "data", "factor_names", "latents", "step", "sha256")
_PACKAGES = (
  "tensorflow",
  "keras",
  "tensorflow-probability",
  "numpy",
  "scikit-learn",
)


def write_manifest(directory, *, data, latents, config_text, seed, step):
  """Describes the export in `directory`, with a sha256 of every file in it."""
  manifest = {
    "contract_version": CONTRACT_VERSION,
    "data": {"name": data.name, **data_to_config(data)},
    "factor_names": list(data.factors.names),
    "latents": latents,
    "seed": seed,
    "step": step,
    "config": config_text,
    "versions": package_versions(),
    "sha256": sha256_tree(directory, skip=(MANIFEST,)),
  }
  write_json(pathlib.Path(directory) / MANIFEST, manifest)


def is_manifest(directory):
  """Whether the manifest.json there is one of ours, whole or damaged."""
  try:
    content = json.loads((pathlib.Path(directory) / MANIFEST).read_bytes())
  except (ValueError, RecursionError):
    return True
  return not isinstance(content, dict) or bool(set(content) & set(_FIELDS))


def read_manifest(directory, *, shown_as=None):
  """The manifest of an export, checked; a `UserError` says what is wrong.

  `shown_as` is what the user calls the folder, if that is another name.
  """
  path = pathlib.Path(directory) / MANIFEST
  directory = shown_as or directory
  if not path.is_file():
    raise UserError(
      f"{directory} is not an export: it has no {MANIFEST} "
      "(bin/train.py writes one to OUTPUT_DIR/export)"
    )
  try:
    manifest = json.loads(path.read_text(encoding="utf-8"))
  except (ValueError, RecursionError) as error:
    raise UserError(
      f"{directory}/{MANIFEST} is damaged ({error}): export the model again"
    ) from error
  version = manifest.get("contract_version") if isinstance(manifest, dict) else None
  if version is None:
    raise UserError(
      f"{directory}/{MANIFEST} has no contract_version: export the model again"
    )
  if version != CONTRACT_VERSION:
    raise UserError(
      f"{directory} was exported under contract version {version}, this program reads "
      f"version {CONTRACT_VERSION}: export it again, or use the program that wrote it"
    )
  missing = [field for field in _FIELDS if field not in manifest]
  if missing:
    lacking = ", ".join(missing)
    raise UserError(f"{directory}/{MANIFEST} lacks {lacking}: export the model again")
  if not all(isinstance(manifest[field], dict) for field in ("data", "sha256")):
    raise UserError(f"{directory}/{MANIFEST} is damaged: export the model again")
  return manifest


def check_files(directory, manifest, *, shown_as=None):
  """Raises a `UserError` unless the files are those the manifest lists."""
  found, listed = sha256_tree(directory, skip=(MANIFEST,)), manifest["sha256"]
  directory = shown_as or directory
  for name in sorted(found.keys() | listed.keys()):
    if found.get(name) != listed.get(name):
      state = "missing" if name not in found else "changed or not listed"
      raise UserError(f"{directory} is damaged: {name} is {state}; export it again")


def model_sha256(manifest):
  """One sha256 for the whole model: of its files' names and hashes."""
  return sha256_listing(manifest["sha256"])


def package_versions():
  """Versions of Python and of the packages that numbers depend on."""
  versions = {name: importlib.metadata.version(name) for name in _PACKAGES}
  return {
    "disentangle_tf": disentangle_tf.__version__,
    "python": platform.python_version(),
    **versions,
  }
