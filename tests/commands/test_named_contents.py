import dataclasses

import pytest

from disentangle_tf.commands import named_contents as module
from disentangle_tf.commands.gin_files import gin_text
from disentangle_tf.commands.named_contents import check_contents, named_contents
from disentangle_tf.errors import UserError
from disentangle_tf.output_files import sha256_file
from disentangle_tf.scoring import protocols
from disentangle_tf.studies.plan import plan_study


def test_files_are_found_by_their_names_in_quotes(tmp_path, monkeypatch):
  monkeypatch.chdir(tmp_path)
  for name in ("a.npz", "b.npz", "c.npz"):
    (tmp_path / name).write_text(name)
  text = f"PATH = 'a.npz'\nOTHER = \"{tmp_path}/b.npz\"\nc.npz = 'gone.npz'\n"
  assert named_contents(text) == {
    "a.npz": sha256_file("a.npz"),
    f"{tmp_path}/b.npz": sha256_file("b.npz"),
  }
  (tmp_path / "a.npz").write_text("other")
  assert named_contents("PATH='a.npz'") == {"a.npz": sha256_file("a.npz")}


def test_a_manipulated_set_is_hashed_by_its_manifest(tmp_path):
  (tmp_path / "manifest.json").write_text("{}")
  (tmp_path / "log.txt").write_text("whatever")
  before = named_contents(f"FOLDER={str(tmp_path)!r}")
  (tmp_path / "log.txt").write_text("more")
  assert named_contents(f"FOLDER={str(tmp_path)!r}") == before
  (tmp_path / "manifest.json").write_text('{"a": 1}')
  assert named_contents(f"FOLDER={str(tmp_path)!r}") != before


def test_an_official_set_is_hashed_by_its_images(tmp_path, monkeypatch):
  monkeypatch.setenv("DISENTANGLE_TF_DATA", str(tmp_path))
  for name in ("cars3d", "mpi3d_toy", "mpi3d_real"):
    (tmp_path / name).mkdir()
    (tmp_path / name / "images.npy").write_text(name)
  cars = gin_text(["gin/data/cars3d.gin"])
  assert list(named_contents(cars)) == [f"{tmp_path}/cars3d/images.npy"]
  arm = gin_text(["gin/data/mpi3d_real.gin"])
  assert list(named_contents(arm)) == [f"{tmp_path}/mpi3d_real/images.npy"]
  assert named_contents(gin_text(["gin/data/xysquares.gin"])) == {}


def test_a_protocol_is_hashed_by_its_metrics(monkeypatch):
  text = "evaluation.evaluate.measurements = %protocols.MICHLO_FINAL"
  before = named_contents(text)
  assert list(before) == ["protocols.MICHLO_FINAL"]
  assert before != named_contents(text.replace("FINAL", "DURING_TRAINING"))
  fewer = tuple(m.with_points(77, None) for m in protocols.MICHLO_FINAL)
  module._protocol.cache_clear()
  monkeypatch.setattr(protocols, "MICHLO_FINAL", fewer)
  changed = named_contents(text)
  module._protocol.cache_clear()
  assert list(changed) == list(before) and changed != before


def test_a_worker_refuses_changed_contents(tmp_path):
  for name, text in (("a.gin", "X = 1"), ("m.gin", "Y = 1"), ("d.npz", "data")):
    (tmp_path / name).write_text(text)
  bindings = [f"PATH={str(tmp_path / 'd.npz')!r}"]
  options = {"metrics": f"{tmp_path}/m.gin", "bindings": bindings}
  runs = {"a": [f"{tmp_path}/a.gin"]}
  (plan,) = plan_study(runs, read=gin_text, contents=named_contents, **options)
  assert list(plan.contents) == [f"{tmp_path}/d.npz"]
  check_contents(plan)
  check_contents(dataclasses.replace(plan, strength=7))
  for name in ("a.gin", "m.gin", "d.npz"):
    before = (tmp_path / name).read_text()
    (tmp_path / name).write_text("Z = 2")
    with pytest.raises(UserError, match=f"the content of .*{name}.* changed after"):
      check_contents(plan)
    (tmp_path / name).write_text(before)
  check_contents(plan)
