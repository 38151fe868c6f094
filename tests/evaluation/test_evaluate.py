import json

import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import tiny_data, tiny_networks
from tensorboard.backend.event_processing import event_accumulator

from disentangle_tf import export, metrics, models
from disentangle_tf.data import FactorSpace
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation import CodesTable, Measurement, evaluate


def score(**arguments):
  """In this process, which starts faster; the child has tests of its own."""
  return evaluate(trusted=True, **arguments)


def factor_mean(codes, factors, rng):
  """A metric that shows what it was given."""
  del rng
  return {"codes": float(codes.sum()), "factors": float(factors.sum())}


def broken(codes):
  return {"broken": float(codes[0, 0]) * np.nan}


MEASUREMENTS = (
  Measurement(metrics.mig, num_points=None),
  Measurement(metrics.dci, num_points=50, num_test_points=20),
)


def test_the_table_holds_every_code_in_order():
  data = tiny_data()
  seen = []

  def encode(images):
    seen.append(len(images))
    flat = images.reshape(len(images), -1)
    return flat, -flat

  table = CodesTable.of_model(encode, data, batch_size=20)
  factors = data.factors.draw(30, np.random.default_rng(0))
  flat = data.observe(factors).numpy().reshape(30, -1)
  np.testing.assert_array_equal(table.draw(factors), flat)
  np.testing.assert_array_equal(table.draw_distribution(factors), [flat, -flat])
  distinct = len(np.unique(factors, axis=0))
  assert sum(seen) == 1 + distinct and max(seen) <= 20
  codes, everything = table.sample(None, None)
  assert len(codes) == 256 and sum(seen) == 1 + 256  # each once
  np.testing.assert_array_equal(data.factors.to_index(everything), np.arange(256))
  np.testing.assert_array_equal(
    codes, data.observe(everything).numpy().reshape(256, -1)
  )


def test_a_table_of_the_wrong_size():
  with pytest.raises(UserError, match="5 codes for a set of 6"):
    CodesTable(np.zeros((5, 2)), FactorSpace(("a", "b"), (2, 3)))


def test_a_measurement_hands_over_what_the_metric_asks_for():
  space = FactorSpace(("a", "b"), (2, 3))
  table = CodesTable(space.to_factors(np.arange(6)) * 10.0, space)
  scores = Measurement(factor_mean, num_points=40).scores(table, seed=0)
  assert scores["codes"] == 10 * scores["factors"] > 0
  assert scores == Measurement(factor_mean, num_points=40).scores(table, seed=0)
  assert scores != Measurement(factor_mean, num_points=40).scores(table, seed=1)


def interventional(space, draw, rng):
  return {"size": float(space.num_points), "first": float(draw([[1, 2]])[0, 1])}


def uncertainty(codes, log_variances):
  return {"spread": float(codes.std()), "log_variance": float(log_variances.mean())}


def test_interventions_and_sampled_codes():
  space = FactorSpace(("a", "b"), (2, 3))
  means = space.to_factors(np.arange(6)).astype(np.float32)
  table = CodesTable(means, space, log_variances=np.full_like(means, np.log(9.0)))
  measurement = Measurement(interventional, prefix="x_")
  assert measurement.scores(table, seed=0) == {"x_size": 6.0, "x_first": 2.0}
  assert measurement.needs_factors
  still, drawn = (
    Measurement(uncertainty, num_points=20_000, sampled=sampled).scores(table, seed=0)
    for sampled in (False, True)
  )
  assert still["log_variance"] == drawn["log_variance"] == pytest.approx(np.log(9.0))
  assert drawn["spread"] == pytest.approx(np.hypot(still["spread"], 3.0), rel=0.02)
  with pytest.raises(UserError, match="codes alone"):
    Measurement(uncertainty, sampled=True).scores(CodesTable(means, space), seed=0)


def test_without_a_decoder_what_needs_one_is_skipped(tmp_path):
  keras.utils.set_random_seed(0)
  model = models.PCL(tiny_networks()[0], latents=3)
  export.write_export(model, tmp_path / "export", data=tiny_data())
  measurements = [
    Measurement(metrics.mig, num_points=50),
    Measurement(metrics.evidence, num_points=50),
  ]
  result = score(
    model=tmp_path / "export", measurements=measurements, output_dir=tmp_path / "a"
  )
  assert set(result["scores"]) == {"mig"}
  assert result["skipped"] == {"evidence": "the model has no decoder"}


def test_reconstructions_are_the_models(exported, tmp_path):
  folder, model = exported
  result = score(
    model=folder,
    measurements=[Measurement(metrics.evidence, num_points=None)],
    output_dir=tmp_path / "a",
  )
  images = next(tiny_data().in_order(256))[1]
  error = np.mean((images - model.reconstruct(images)) ** 2)
  assert result["scores"]["reconstruction_error"] == pytest.approx(error, rel=1e-4)


def test_two_scores_of_one_name(exported, tmp_path):
  twice = [Measurement(metrics.mig, num_points=50)] * 2
  with pytest.raises(UserError, match="'mig' and so does another metric: set the pre"):
    score(model=exported[0], measurements=twice, output_dir=tmp_path / "a")


def test_scores_are_written_and_repeatable(exported, tmp_path):
  result = score(
    model=exported[0], measurements=MEASUREMENTS, output_dir=tmp_path / "a", seed=4
  )
  written = json.loads((tmp_path / "a" / "scores.json").read_text())
  assert written == result
  assert set(result["scores"]) == {
    "mig",
    "disentanglement",
    "completeness",
    "informativeness_train",
    "informativeness_test",
  }
  assert result["settings"]["mig"] == {
    "num_points": None,
    "codes": "mean",
    "num_bins": 20,
  }
  assert result["settings"]["dci"]["num_test_points"] == 20
  assert (result["seed"], result["model"]["step"]) == (4, 7)
  assert {"model", "data", "versions", "seconds"} <= set(result)
  again = score(
    model=exported[0],
    measurements=MEASUREMENTS,
    output_dir=tmp_path / "b",
    data=tiny_data(),
    seed=4,
  )
  assert again["scores"] == result["scores"]
  events = event_accumulator.EventAccumulator(str(tmp_path / "a"))
  events.Reload()
  (event,) = events.Tensors("scores/mig")
  assert event.step == 7
  assert tf.make_ndarray(event.tensor_proto).item() == pytest.approx(
    result["scores"]["mig"]
  )


def test_mig_is_that_of_the_models_codes(exported, tmp_path):
  folder, model = exported
  data = tiny_data()
  factors = data.factors.to_factors(np.arange(len(data)))
  codes = model.encode(data.observe(factors)).mean().numpy()
  result = score(model=folder, measurements=MEASUREMENTS[:1], output_dir=tmp_path / "a")
  assert result["scores"] == pytest.approx(metrics.mig(codes, factors), abs=1e-6)


def test_images_that_do_not_fit(exported, tmp_path):
  with pytest.raises(UserError, match="--data"):
    score(
      model=exported[0],
      measurements=MEASUREMENTS,
      output_dir=tmp_path / "a",
      data=tiny_data(num_squares=1),
    )
  assert not (tmp_path / "a").exists()


def test_supervised_metrics_need_factors(exported, tmp_path):
  data = tiny_data()
  data.labelled = False
  with pytest.raises(UserError, match="no ground-truth factors, so mig"):
    score(
      model=exported[0],
      measurements=MEASUREMENTS,
      output_dir=tmp_path / "a",
      data=data,
    )


def test_nan_does_not_leave_silently(exported, tmp_path):
  with pytest.raises(UserError, match="broken gave nan"):
    score(
      model=exported[0], measurements=[Measurement(broken)], output_dir=tmp_path / "a"
    )
  assert not (tmp_path / "a").exists()


def test_an_existing_folder_is_kept(exported, tmp_path):
  (tmp_path / "precious.txt").write_text("x")
  with pytest.raises(UserError, match="overwrite"):
    score(model=exported[0], measurements=MEASUREMENTS, output_dir=tmp_path)
