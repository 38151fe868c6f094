"""Foreign manifests: a bad one costs one line and nothing else."""

import json
import re
import shutil
import sys
import tracemalloc

import numpy as np
import pytest
from command_calls import call, measuring
from shared_checks import tiny_data

from disentangle_tf import losses
from disentangle_tf.commands import evaluate, perceive, visualize
from disentangle_tf.data import data_to_config
from disentangle_tf.export import loss_of_distances, read_manifest

WATCHED = []


@pytest.fixture(scope="module", autouse=True)
def audit():
  """Records the files that Python opens and its connections."""
  active = [True]

  def note(event, arguments):
    if active and event.startswith(("open", "socket.", "subprocess.", "urllib.")):
      WATCHED.append(f"{event} {arguments[0] if arguments else ''}")

  sys.addaudithook(note)
  yield
  active.clear()


@pytest.fixture
def export(exported, tmp_path):
  return shutil.copytree(exported[0], tmp_path / "export")


def edit(export, **changes):
  path = export / "manifest.json"
  manifest = json.loads(path.read_text()) | changes
  path.write_text(json.dumps(manifest))
  return export


def refused(export, capfd, command=evaluate.main, flags=()):
  """The error line of a model that is refused."""
  output = export.parent / "out"
  code = call(command, "--model", export, "--output_dir", output, *flags)
  told = capfd.readouterr()
  (line,) = told.err.strip().splitlines()
  assert code == 3, line
  assert line.startswith(f"{command.__module__.rpartition('.')[2]}: error: ")
  assert len(line) < 1_000 and line.isprintable() and not output.exists()
  return line


def of_class(name, **arguments):
  return {"class": name, "arguments": arguments}


def foreign_files(folder):
  """Foreign files in the formats of official data sets."""
  folder.mkdir()
  shape = (48_600, 64, 64, 1)  # of SmallNORB; a sparse file
  np.lib.format.open_memmap(folder / "images.npy", "w+", np.uint8, shape)
  np.savez(folder / "mine.npz", images=np.zeros((4, 8, 8, 2)), factors=np.eye(4))
  (folder / "painting.eps").write_text("%!PS-Adobe-3.0 EPSF-3.0\n")
  return folder


NEEDS_FILES = {
  "a folder": lambda f: of_class("SmallNORB", folder=f),
  "a folder without a slash": lambda f: of_class("SmallNORB", folder="elsewhere"),
  "a subset of it": lambda f: of_class(
    "FactorSubset", data=of_class("SmallNORB", folder=f), names=["category"]
  ),
  "an HDF5 file": lambda f: of_class("Shapes3D", folder=f),
  "a picture": lambda f: of_class("ScreamDSprites", painting=f"{f}/painting.eps"),
  "a set of one's own": lambda f: of_class(
    "FactorTable", **{"from": "npz", "path": f"{f}/mine.npz"}
  ),
  "an official file": lambda f: of_class("DSprites", path=f"{f}/mine.npz"),
  "a download": lambda f: of_class("FashionMNIST"),
  "another download": lambda f: of_class("CelebA", split="test"),
  "the user's own files": lambda f: of_class("Cars3D", folder=None),
}


@pytest.mark.parametrize("case", NEEDS_FILES)
def test_no_file_is_opened_and_nothing_downloaded(
  case, export, tmp_path, capfd, monkeypatch
):
  folder = foreign_files(tmp_path / "elsewhere")
  monkeypatch.chdir(tmp_path)
  monkeypatch.setenv("DISENTANGLE_TF_DATA", str(tmp_path / "data"))
  edit(export, data=NEEDS_FILES[case](str(folder)))
  WATCHED.clear()
  line = refused(export, capfd)
  assert "--data" in line or "--trusted" in line
  looked_at = "\n".join(WATCHED)
  assert "manifest.json" in looked_at  # the audit works
  assert "elsewhere/" not in looked_at
  # A pair of sockets leads to the process that forks sandboxes, and to nowhere else.
  assert not re.search(r"(?m)^(socket\.(?!__new__)|urllib)", looked_at)
  assert not (tmp_path / "data").exists()
  code = call(evaluate.main, "--model", export, "--scan_only")
  told = capfd.readouterr().out
  assert code == 3 and "REFUSED" in told and "in manifest.json" in told
  # If the user names the data set, the manifest's is ignored.
  assert (
    call(evaluate.main, "--model", export, "--scan_only", "--data", "dsprites") == 0
  )


def test_a_trusted_manifest_may_name_files(export, tmp_path, capfd):
  folder = foreign_files(tmp_path / "elsewhere")
  npz = {"from": "npz", "path": str(folder / "mine.npz")}
  edit(export, data=of_class("FactorTable", **npz))
  output, flags = tmp_path / "out", ("--trusted", *measuring("mig", num_points=30))
  code = call(evaluate.main, "--model", export, "--output_dir", output, *flags)
  assert code == 0, capfd.readouterr().err
  scores = json.loads((output / "scores.json").read_text())
  assert scores["data"]["class"] == "FactorTable"


@pytest.mark.parametrize(
  "config",
  [
    of_class("Pinwheel", num_points=10**8, num_clusters=2),
    of_class("XYSquares", image_size=10**6, square_size=1, grid_spacing=1),
    of_class("XYSquares", image_size=256, square_size=1, grid_spacing=1),
  ],
)
def test_too_large_a_set_takes_no_memory(config, export, capfd):
  edit(export, data=config)
  tracemalloc.start()
  try:
    refused(export, capfd)
    _, most = tracemalloc.get_traced_memory()
  finally:
    tracemalloc.stop()
  assert most < 100 * 2**20


def overlap(**changes):
  honest = {
    "loss": of_class("MSE"),
    "kernel": {"function": "box_kernel", "arguments": {"radius": 1}},
  }
  return of_class("Overlap", **honest | changes)


def nested(depth):
  config = of_class("MSE")
  for _ in range(depth):
    config = overlap(loss=config)
  return config


HUGE = 10**30
DEEP = json.loads("[" * 500 + "]" * 500)
GENERATIVE = {"likelihood": None, "prior": None, "standardisation": None}
DAMAGED = {
  "step, a list": {"step": [1, 2]},
  "step, a text": {"step": "7"},
  "step, too large": {"step": HUGE},
  "step, NaN": {"step": float("nan")},
  "step, infinite": {"step": float("inf")},
  "step, nothing": {"step": None},
  "step, negative": {"step": -1},
  "step, a truth": {"step": True},
  "config, a number": {"config": 5},
  "seed, a text": {"seed": "x"},
  "latents, a list": {"latents": [3]},
  "latents, a fraction": {"latents": 3.5},
  "hyper-parameters, a list": {"hyper_parameters": [1]},
  "hyper-parameters, a long name": {"hyper_parameters": {"x" * 2_000: 1}},
  "hashes, numbers": {"sha256": {"saved_model.pb": 1}},
  "hashes, control characters": {"sha256": {"\x1b[2J\n": "0" * 64}},
  "hashes, a list": {"sha256": ["saved_model.pb"]},
  "hashes, a long name": {"sha256": {"x" * 2_000_000: "0" * 64}},
  "version, a text": {"contract_version": "\x1b[2J"},
  "version, a fraction": {"contract_version": 1.0},
  "version, long": {"contract_version": int("9" * 4_000)},
  "version, a list": {"contract_version": [[1]]},
  "factor names, a text": {"factor_names": "x_R"},
  "factor names, numbers": {"factor_names": [1, 2]},
  "data, a list": {"data": ["XYSquares"]},
  "data, no class": {"data": {"arguments": {}}},
  "data, a list of classes": {"data": {"class": ["XYSquares"]}},
  "data, arguments in a list": {"data": {"class": "XYSquares", "arguments": [1]}},
  "data, an unknown argument": {"data": of_class("XYSquares", **{"\x1b[2J": 1})},
  "data, no clusters": {"data": of_class("Pinwheel", num_clusters=0)},
  "data, a fraction": {"data": of_class("XYSquares", image_size=16.0)},
  "data, sizes that do not go together": {
    "data": of_class("XYSquares", square_size=99)
  },
  "data, an unknown factor": {
    "data": of_class("FactorSubset", data=of_class("XYSquares"), names=["\x1b[2J"])
  },
  "model, a text": {"model": "BetaVAE"},
  "model, a list": {"model": [1]},
  "model, arguments in a list": {"model": {"class": "BetaVAE", "arguments": [1]}},
  "model, very deep": {"model": of_class("BetaVAE", beta=[DEEP])},
  "loss, a text": {"model": of_class("BetaVAE", reconstruction="MSE")},
  "loss, no class": {"model": of_class("BetaVAE", reconstruction={"arguments": {}})},
  "loss, 200 deep": {"model": of_class("BetaVAE", reconstruction=nested(200))},
  "loss, a huge kernel": {
    "model": of_class(
      "BetaVAE", reconstruction=overlap(kernel={"array": [[1.0] * 300] * 300})
    )
  },
  "prior, a number": {"model": of_class("BetaVAE", prior=5)},
  "prior, many numbers": {
    "model": of_class("VAE", prior=of_class("AnisotropicNormal", scales=[1.0] * 10**5))
  },
  "likelihood, a text": {"generative_model": GENERATIVE | {"likelihood": "Normal"}},
  "likelihood, a list": {"generative_model": [1]},
  "prior, long": {
    "generative_model": GENERATIVE
    | {"prior": of_class("AnisotropicNormal", scales=[1.0] * 10**5)}
  },
  "versions, numbers": {"versions": {"keras": 3}},
  "very deep": {"config": "", "notes": DEEP},
}


@pytest.mark.parametrize("case", DAMAGED)
def test_an_invalid_manifest_costs_one_line(case, export, capfd):
  edit(export, **DAMAGED[case])
  refused(export, capfd)


@pytest.mark.parametrize(
  "content",
  [
    b'{"contract_version": 1, "step": NaN}',
    b'{"contract_version": 1e999}',
    b"[" * 100_000,
    b'{"contract_version": 1' + b"0" * 5_000 + b"}",
    b'{"contract_version": "\xff\xfe"}',
    b'{"step": "\\ud800"}',
    b" " * (5 * 2**20),
    b"",
  ],
)
def test_a_file_that_is_no_manifest(content, export, capfd):
  (export / "manifest.json").write_bytes(content)
  refused(export, capfd)
  refused(export, capfd, visualize.main)


def test_losses_1000_deep(export, capfd):
  """Deeper than Python's json module can write."""
  edit(export, model=of_class("BetaVAE", reconstruction="a loss"))
  loss = json.dumps(of_class("MSE"))
  for _ in range(1_000):
    loss = json.dumps(overlap(loss="inner")).replace('"inner"', loss)
  path = export / "manifest.json"
  path.write_text(path.read_text().replace('"a loss"', loss))
  refused(export, capfd)
  refused(export, capfd, visualize.main)


def test_a_valid_manifest_is_scored(export, tmp_path, capfd):
  edit(export, data=data_to_config(tiny_data()) | {"name": "xysquares"})
  code = call(evaluate.main, "--model", export, "--scan_only")
  assert code == 0 and "allowed" in capfd.readouterr().out


@pytest.mark.parametrize("version", [1, 2])
def test_a_likelihood_of_another_shape_is_skipped(version, export, tmp_path, capfd):
  loss = of_class("Normal", scale=1.0, learned=False)
  prior = of_class("AnisotropicNormal", scales=[1, 1])  # of three latents
  if version == 1:
    wrong = {"likelihood": loss, "prior": prior, "standardisation": None}
    edit(export, contract_version=1, generative_model=wrong)
  else:
    edit(export, model=of_class("BetaVAE", reconstruction=loss, prior=prior))
  output, flags = tmp_path / "out", ("--trusted", *measuring("evidence", num_points=20))
  code = call(evaluate.main, "--model", export, "--output_dir", output, *flags)
  assert code == 0, capfd.readouterr().err
  scores = json.loads((output / "scores.json").read_text())
  assert "fits no images" in scores["skipped"]["evidence in nats"]
  assert "reconstruction_error" in scores["scores"]


UNUSABLE = {
  "a radius without bounds": overlap(
    kernel={"function": "box_kernel", "arguments": {"radius": 10**9}}
  ),
  "a network": of_class("FeatureLoss", loss=of_class("MSE"), network={}),
  "an unknown class": of_class("\x1b[2Jos.system", command="true"),
  "a name alone": {"class": "MSE", "arguments": None},
  "a wrong type": of_class("Normal", scale=[[1]]),
  "numbers that are none": overlap(kernel={"array": [[1e29]]}),
  "6 deep": nested(6),
}


@pytest.mark.parametrize("case", UNUSABLE)
def test_a_loss_that_cannot_be_made_leaves_the_squared_error(case, export, caplog):
  edit(export, model=of_class("BetaVAE", reconstruction=UNUSABLE[case]))
  tracemalloc.start()
  try:
    loss = loss_of_distances(read_manifest(export), path=export)
    _, most = tracemalloc.get_traced_memory()
  finally:
    tracemalloc.stop()
  assert type(loss) is losses.MSE
  (line,) = caplog.messages
  assert "distances are those of MSE" in line
  assert line.isprintable() and len(line) < 1_000
  assert most < 200 * 2**20


def test_the_command_reports_that_distances_are_those_of_mse(export, tmp_path, capfd):
  unknown = UNUSABLE["an unknown class"]
  edit(export, model=of_class("BetaVAE", reconstruction=unknown))
  flags = ["--model", export, "--output_dir", tmp_path / "seen"]
  for setting in ("num_pairs=4", "num_curve_pairs=4", "num_traversals=1"):
    flags += ["--gin_bindings", f"perceived.perceive.{setting}"]
  code = call(perceive.main, *flags)
  told = capfd.readouterr()
  assert code == 0, told.err
  (line,) = [x for x in told.out.splitlines() if "distances are those of MSE" in x]
  assert line.isprintable() and len(line) < 1_000
  seen = json.loads((tmp_path / "seen" / "importance.json").read_text())
  assert seen["loss"] == {"class": "MSE"}
