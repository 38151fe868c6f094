import json

import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import tiny_data, tiny_model, tiny_networks
from tensorboard.backend.event_processing import event_accumulator

from disentangle_tf import export, losses, metrics, models, plots
from disentangle_tf.data import FactorSubset
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation import evaluate
from disentangle_tf.scoring import CodesTable, Measurement, protocols


def score(**arguments):
  """In this process, which starts faster; the child has tests of its own."""
  return evaluate(trusted=True, **arguments)


def broken(codes):
  return {"broken": float(codes[0, 0]) * np.nan}


MEASUREMENTS = (
  Measurement(metrics.mig, num_points="all"),
  Measurement(metrics.dci, num_points=50, num_test_points=20),
)


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
    measurements=[Measurement(metrics.evidence, num_points="all")],
    output_dir=tmp_path / "a",
  )
  images = next(tiny_data().in_order(256))[1]
  error = np.mean((images - model.reconstruct(images)) ** 2)
  assert result["scores"]["reconstruction_error"] == pytest.approx(error, rel=1e-4)


def test_two_scores_of_one_name(exported, tmp_path):
  def again(codes):
    return {"mig": float(codes.sum())}

  twice = [Measurement(metric, num_points=50) for metric in (metrics.mig, again)]
  with pytest.raises(UserError, match="'mig' and so does another metric: set the pre"):
    score(model=exported[0], measurements=twice, output_dir=tmp_path / "a")
  assert list(tmp_path.iterdir()) == []


def test_a_score_of_the_whole_set_is_never_of_fewer_points(exported, tmp_path):
  whole = [m for m in protocols.FULL if m.metric is metrics.mig]
  assert [m.name for m in whole] == ["mig", "whole_set_mig"]
  result = score(
    model=exported[0], measurements=whole, num_points=50, output_dir=tmp_path / "a"
  )
  assert set(result["scores"]) == set(result["settings"]) == {"mig"}
  assert result["skipped"] == {
    "whole_set_mig": "with these settings it is the same as mig"
  }


@pytest.mark.parametrize(
  "bad",
  [
    {"seed": -1},
    {"repeats": 0},
    {"batch_size": "a"},
    {"factor_bins": 1.5},
    {"sampled": "yes"},
    {"factors": "x_R"},
    {"data": 5},
    {"measurements": []},
  ],
)
def test_nonsense_is_named_and_leaves_nothing(bad, exported, tmp_path):
  (name,) = bad
  arguments = {"model": exported[0], "measurements": MEASUREMENTS, **bad}
  with pytest.raises(UserError, match=rf"^evaluate\.{name} is "):
    score(output_dir=tmp_path / "a", **arguments)
  assert list(tmp_path.iterdir()) == []


def test_every_count_is_recorded(exported, tmp_path):
  few = [Measurement(metrics.mig, num_points=50)]
  asked = {"seed": 3, "repeats": 2, "batch_size": 7, "factor_bins": 5}
  result = score(
    model=exported[0], measurements=few, output_dir=tmp_path / "a", **asked
  )
  assert {name: result[name] for name in asked} == asked


@pytest.mark.parametrize(
  ("loss", "known"),
  [
    (losses.Bernoulli(), True),
    (losses.Overlap(losses.MSE(), losses.box_kernel(1), alpha=9), False),
  ],
)
def test_a_likelihood_is_recorded_if_one_was_computed(loss, known, tmp_path):
  model = tiny_model(reconstruction=loss)
  export.write_export(model, tmp_path / "export", data=tiny_data())
  result = score(
    model=tmp_path / "export",
    measurements=[Measurement(metrics.evidence, num_points=20)],
    output_dir=tmp_path / "a",
  )
  assert ("log_likelihoods" in result["settings"]["evidence"]) == known
  assert ("elbo" in result["scores"]) == known
  assert ("evidence in nats" in result["skipped"]) != known


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
  assert result["directions"] == dict.fromkeys(result["scores"], "higher")
  assert result["settings"]["mig"] == {
    "num_points": "all",
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
  with pytest.raises(UserError, match="choose other data"):
    score(
      model=exported[0],
      measurements=MEASUREMENTS,
      output_dir=tmp_path / "a",
      data=tiny_data(num_squares=1),
    )
  assert not (tmp_path / "a").exists()


def test_supervised_metrics_need_factors(exported, tmp_path):
  data = tiny_data()
  data.has_factors = False
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


def test_a_subset_is_scored_on_all_its_images(exported, tmp_path):
  folder, model = exported
  result = score(
    model=folder,
    data=FactorSubset(tiny_data(), ("x_R", "y_G")),
    measurements=[Measurement(metrics.mig, num_points="all")],
    output_dir=tmp_path / "a",
  )
  factors = tiny_data().factors.to_factors(np.arange(256))
  codes = model.encode(tiny_data().observe(factors)).mean().numpy()
  expected = metrics.mig(codes, factors[:, [0, 3]])
  assert result["scores"] == pytest.approx(expected, abs=1e-6)


def test_continuous_factors_of_codes_are_reported(tmp_path, caplog):
  caplog.set_level("INFO", "disentangle_tf")
  rng = np.random.default_rng(0)
  factors = rng.normal(size=(3_000, 2))
  codes = (factors + 0.3 * rng.normal(size=factors.shape)).astype(np.float32)
  np.savez(tmp_path / "codes.npz", codes=codes, factors=factors)
  options = {
    "model": tmp_path / "codes.npz",
    "measurements": [Measurement(metrics.mig, num_points="all")],
  }
  result = score(output_dir=tmp_path / "a", **options)
  assert result["scores"] == pytest.approx(metrics.mig(codes, factors), abs=1e-9)
  told = "factor_1 is continuous (3000 values), scored in 20 bins"
  assert told in caplog.text and told in result["model"]["read_as"]
  assert told in (tmp_path / "a" / "report.html").read_text()
  few = score(output_dir=tmp_path / "b", factor_bins=6, **options)
  assert "scored in 6 bins" in few["model"]["read_as"]
  assert few["scores"]["mig"] > result["scores"]["mig"] + 0.05


def test_dead_latents_are_marked_in_the_report(tmp_path, monkeypatch):
  # Latent 0 follows the factor as 1e-3 of it, with a KL of next to nothing.
  factors = np.tile(np.arange(10), 100)[:, None]
  rng = np.random.default_rng(0)
  used = factors[:, 0] / 3 + 0.3 * rng.normal(size=1_000)
  codes = np.stack([1e-3 * factors[:, 0], used], axis=1)
  log_variances = np.tile([0.0, -2.0], (1_000, 1))
  path = tmp_path / "codes.npz"
  np.savez(path, codes=codes, factors=factors, log_variances=log_variances)
  drawn = []
  draw = plots.heat_maps_figure

  def keep(*arguments, **options):
    drawn.append(draw(*arguments, **options))
    return drawn[-1]

  monkeypatch.setattr(plots, "heat_maps_figure", keep)
  score(
    model=path,
    measurements=[Measurement(metrics.mig, num_points="all")],
    output_dir=tmp_path / "a",
  )
  axis = drawn[0].axes[0]
  labels = [label.get_text() for label in axis.get_yticklabels()]
  assert labels == ["latent 1", "latent 0 (dead)"]
  shown = axis.images[0].get_array()
  assert shown.data[1, 0] > shown.data[0, 0]  # it knows all, and is not coloured
  assert shown.mask.tolist() == [[False], [True]]


def sometimes(codes, rng):
  scores = {"always": float(rng.random())}
  return scores | ({"sometimes": 1.0} if scores["always"] < 0.5 else {})


def test_every_repeat_is_kept_and_what_some_lack_is_told(exported, tmp_path):
  measurement = Measurement(sometimes, num_points=20)
  table = CodesTable.of_model(export.ExportedModel(exported[0]).encode, tiny_data())
  seeds = range(2, 10)
  found = [measurement.scores(table, seed=seed) for seed in seeds]
  assert 0 < sum("sometimes" in each for each in found) < len(seeds)
  result = score(
    model=exported[0],
    measurements=[measurement],
    output_dir=tmp_path / "a",
    seed=2,
    repeats=8,
  )
  assert result["scores_of_repeats"] == {"always": [each["always"] for each in found]}
  assert set(result["scores"]) == {"always"}
  assert result["skipped"] == {"sometimes": "some repeats do not give it"}
