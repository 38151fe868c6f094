"""One set of weights, brought in every way, gives the same scores."""

import numpy as np
import pytest
from foreign_models import (
  Encoder,
  all_codes,
  write_arrays,
  write_hub_module,
  write_keras,
  write_module,
  write_onnx,
)
from shared_checks import tiny_data

from disentangle_tf import metrics
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation import evaluate
from disentangle_tf.scoring import Measurement

MEASUREMENTS = (
  Measurement(metrics.mig, num_points="all"),
  Measurement(metrics.modularity, num_points=300),
  Measurement(metrics.mcc, num_points=300),
  Measurement(metrics.sap, num_points=300, num_test_points=100),
  Measurement(metrics.factor_vae_score, prefix="factor_vae_"),
  Measurement(metrics.total_correlation, num_points=300, sampled=True),
)


@pytest.fixture(scope="module")
def encoder(exported):
  return Encoder(exported[1])


@pytest.fixture(scope="module")
def expected(exported, tmp_path_factory):
  """Scores of our own export, encoded in the confined process."""
  return evaluate(
    model=exported[0],
    measurements=MEASUREMENTS,
    output_dir=tmp_path_factory.mktemp("scores"),
  )


@pytest.mark.parametrize(
  ("write", "name"),
  [
    (write_module, "module"),
    (write_hub_module, "hub"),
    (write_onnx, "encoder.onnx"),
    (write_keras, "encoder.keras"),
    (write_arrays, "codes.npz"),
  ],
)
def test_the_same_scores(write, name, encoder, expected, tmp_path):
  path = write(tmp_path / name, encoder)
  result = evaluate(
    model=path,
    measurements=MEASUREMENTS,
    output_dir=tmp_path / "scores",
    data=tiny_data(),
    trusted=name not in ("hub", "encoder.onnx"),  # the child starts in seconds
  )
  assert result["scores"] == pytest.approx(expected["scores"], abs=1e-5)
  page = (tmp_path / "scores" / "report.html").read_text()
  for score, value in result["scores"].items():
    assert f"<dt>{score}</dt><dd>{value:.4f}</dd>" in page
  # Heat-maps, and distances of images and of codes; there is no decoder to show.
  assert page.count("data:image/png;base64,") == 3


def test_the_record(expected, exported, encoder, tmp_path):
  record = expected["model"]
  assert record["kind"] == "TF 2 SavedModel"
  assert record["scan"]["allowed"] and record["scan"]["looked_at"]["operations"] > 100
  assert set(record["files"]) >= {"saved_model.pb", "variables/variables.index"}
  assert len(record["sha256"]) == 64
  assert set(record["sandbox"]) >= {"network", "files", "memory_gib"}
  assert "encode by encode" in record["read_as"]
  trusted = evaluate(
    model=exported[0],
    measurements=MEASUREMENTS[:1],
    output_dir=tmp_path / "trusted",
    trusted=True,
  )
  assert "--trusted" in trusted["model"]["sandbox"]["skipped"]
  assert trusted["model"]["sha256"] == record["sha256"]
  mig = expected["scores"]["mig"]
  assert trusted["scores"]["mig"] == pytest.approx(mig, abs=1e-5)


def test_means_alone_skip_what_needs_more(encoder, tmp_path):
  path = write_module(tmp_path / "module", encoder, names=("codes",))
  result = evaluate(
    model=path,
    measurements=[*MEASUREMENTS, Measurement(metrics.evidence, num_points=50)],
    output_dir=tmp_path / "scores",
    data=tiny_data(),
    trusted=True,
  )
  assert result["skipped"] == {
    "total_correlation": "the model gives no log-variances",
    "evidence": "the model gives no log-variances",
  }
  page = (tmp_path / "scores" / "report.html").read_text()
  assert "the model gives no log-variances" in page
  assert "KL of each latent" not in page


def test_arrays_need_no_data_set(encoder, tmp_path):
  path = write_arrays(tmp_path / "codes.npz", encoder)
  result = evaluate(
    model=path, measurements=MEASUREMENTS[:1], output_dir=tmp_path / "scores"
  )
  codes, _, factors = all_codes(encoder)
  assert result["scores"] == pytest.approx(metrics.mig(codes, factors), abs=1e-6)
  assert result["model"]["kind"] == "arrays"


def test_a_model_that_names_no_data(encoder, tmp_path):
  path = write_onnx(tmp_path / "a.onnx", encoder)
  with pytest.raises(UserError, match="set data"):
    evaluate(model=path, measurements=MEASUREMENTS, output_dir=tmp_path / "scores")
  assert not (tmp_path / "scores").exists()


def test_wrong_images_are_told_with_what_the_model_offers(encoder, tmp_path):
  path = write_onnx(tmp_path / "a.onnx", encoder)
  with pytest.raises(UserError, match=r"resize.*onnx: images float32 \[\?, 2, 8"):
    evaluate(
      model=path,
      measurements=MEASUREMENTS,
      output_dir=tmp_path / "scores",
      data=tiny_data(image_size=16),
    )


def test_codes_that_are_wrong_are_not_scored_right(encoder, expected, tmp_path):
  """The comparison above can fail: mixed-up codes give other scores."""
  codes = all_codes(encoder)[0]
  path = write_arrays(tmp_path / "codes.npz", encoder, codes=np.roll(codes, 1, axis=0))
  result = evaluate(
    model=path, measurements=MEASUREMENTS[:1], output_dir=tmp_path / "scores"
  )
  assert abs(result["scores"]["mig"] - expected["scores"]["mig"]) > 1e-3
