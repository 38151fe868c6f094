"""What wide codes, slow metrics and large images may take."""

import io
import time

import numpy as np
import pytest
import tensorflow as tf
from PIL import Image
from shared_checks import tiny_data
from sklearn.ensemble import GradientBoostingClassifier

from disentangle_tf import metrics
from disentangle_tf.data import FactorSpace
from disentangle_tf.errors import ModelError
from disentangle_tf.evaluation import evaluate
from disentangle_tf.evaluation.opening import open_model
from disentangle_tf.foreign.sandbox.limits import Limits
from disentangle_tf.pictures.model_pictures import ModelPictures
from disentangle_tf.scoring import CodesTable, Measurement


def write_codes(path, *, latents, points=400, **arrays):
  rng = np.random.default_rng(0)
  factors = rng.integers(3, size=(points, 2))
  codes = rng.normal(size=(points, latents)).astype(np.float32)
  codes[:, :2] += factors
  np.savez(path, codes=codes, factors=factors, **arrays)
  return path


def test_too_many_columns(tmp_path):
  path = write_codes(tmp_path / "a.npz", latents=200_000, points=3)
  options = {"model": path, "measurements": [Measurement(metrics.mig)]}
  with pytest.raises(ModelError, match=r"200,000 numbers.*--limit_latents"):
    evaluate(output_dir=tmp_path / "out", **options)
  path = write_codes(tmp_path / "b.npz", latents=20)
  options |= {"model": path, "limits": Limits(latents=19)}
  with pytest.raises(ModelError, match="20 numbers: at most 19 are allowed"):
    evaluate(output_dir=tmp_path / "out", **options)
  assert not (tmp_path / "out").exists()


def test_a_metric_that_takes_too_long_is_left_out(tmp_path):
  path = write_codes(tmp_path / "a.npz", latents=1_000)
  started = time.perf_counter()
  result = evaluate(
    model=path,
    measurements=[
      Measurement(metrics.dci, num_points=400, num_test_points=50),
      Measurement(metrics.total_correlation, num_points=400),
    ],
    output_dir=tmp_path / "out",
    limits=Limits(metric_seconds=0.02),
  )
  assert time.perf_counter() - started < 60  # DCI alone would take twice as long
  reason = "it takes more than 0.02 s (Limits.metric_seconds)"
  assert result["skipped"] == {"dci": reason, "total_correlation": reason}
  assert result["scores"] == {}
  page = (tmp_path / "out" / "report.html").read_text()
  assert reason in page and "the 64 most active of 1,000 latents" in page
  assert len(page) < 2 * 2**20


def test_the_limit_ends_a_fit_within_a_stage(monkeypatch):
  """Not after a factor, which may take a quarter of an hour."""
  space = FactorSpace(("a",), (30,))
  codes = np.random.default_rng(0).normal(size=(30, 3_000))
  grown = []
  monkeypatch.setattr(
    GradientBoostingClassifier, "_init_state", _noting(grown), raising=True
  )
  table = CodesTable(codes, space)
  measurement = Measurement(metrics.dci, num_points=2_000, num_test_points=10)
  started = time.perf_counter()
  with pytest.raises(Exception, match="metric_seconds"):
    measurement.scores(table, seed=0, limits=Limits(metric_seconds=0.5))
  assert grown and time.perf_counter() - started < 20


def _noting(grown):
  original = GradientBoostingClassifier._init_state

  def init_state(self):
    grown.append(self)
    return original(self)

  return init_state


def test_codes_that_are_too_many_at_a_time(tmp_path):
  path = write_codes(tmp_path / "a.npz", latents=10)
  limits = Limits(codes_gib=300 * 10 * 4 / 2**30)
  result = evaluate(
    model=path,
    measurements=[
      Measurement(metrics.mig, num_points=300),
      Measurement(metrics.mig, num_points="all", prefix="whole_"),
      Measurement(metrics.factor_vae_score, prefix="factor_vae_"),
    ],
    output_dir=tmp_path / "out",
    limits=limits,
  )
  assert set(result["scores"]) == {"mig"}
  assert "400 codes of 10 numbers" in result["skipped"]["whole_mig"]
  assert "Limits.codes_gib" in result["skipped"]["factor_vae_score"]


def write_model(path, shape, latents=3):
  """A model that names a size, and decodes."""

  class Model(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None, *shape], name="x")])
    def encode(self, x):
      return {"mean": tf.zeros([tf.shape(x)[0], latents]) + x[:, 0, 0, :1]}

    @tf.function(input_signature=[tf.TensorSpec([None, latents], name="z")])
    def decode(self, z):
      flat = tf.math.sigmoid(z[:, :1])[:, None, None]
      return {"images": tf.broadcast_to(flat, [tf.shape(z)[0], *shape])}

  model = Model()
  signatures = {"encode": model.encode, "decode": model.decode}
  tf.saved_model.save(model, str(path), signatures=signatures)
  return path


def test_images_that_a_model_names_are_bounded(tmp_path):
  path = write_model(tmp_path / "large", (60_000, 60_000, 1))
  options = {"data": None, "reading": None, "trusted": False}
  with (
    pytest.raises(ModelError, match="60000 x 60000 x 1.*Limits.image_numbers"),
    open_model(path, limits=None, **options),
  ):
    pass
  path = write_model(tmp_path / "small", (8, 8, 1))
  with (
    pytest.raises(ModelError, match="at most 63 are taken"),
    open_model(path, limits=Limits(image_numbers=63), **options),
  ):
    pass


def test_pictures_of_thousands_of_latents(tmp_path, caplog):
  path = write_model(tmp_path / "wide", (8, 8, 1), latents=4_096)
  options = {"data": None, "reading": None, "trusted": True, "limits": None}
  with open_model(path, **options) as (model, _, _):
    pictures = ModelPictures(
      model, None, None, loss=None, num_traversals=1, rng=None
    ).latent_traversals()
  assert "32 of 4,096 latents are drawn" in caplog.text
  with Image.open(io.BytesIO(pictures["latent_traversals"])) as gif:
    assert gif.size[1] < 32 * 70
  height = pictures["latent_traversals_prior"].get_size_inches()[1]
  assert height < 32


def test_time_in_all(tmp_path):
  path = write_model(tmp_path / "model", (8, 8, 2))
  options = {"model": path, "data": tiny_data(), "trusted": True}
  options["measurements"] = [Measurement(metrics.mig, num_points=50)]
  with pytest.raises(ModelError, match=r"0.0001 s in all.*--limit_total_seconds"):
    evaluate(
      output_dir=tmp_path / "out", limits=Limits(total_seconds=0.0001), **options
    )
