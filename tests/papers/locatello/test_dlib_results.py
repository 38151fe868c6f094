import json

import numpy as np
import pytest
from dlib_files import dlib_file, write_dlib_file, write_dlib_model

from disentangle_tf.errors import UserError
from disentangle_tf.papers.locatello.dlib_results import read_dlib_results
from disentangle_tf.papers.locatello.published_models import dlib_model
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.results_table import missing_models, select


def test_every_score_under_this_projects_name(tmp_path):
  write_dlib_model(tmp_path, 0)
  table = read_dlib_results(tmp_path)
  scores = dict(zip(table["score"], table["value"], strict=True))
  assert scores == pytest.approx(
    {
      "beta_vae_eval_accuracy": 0.8,
      "factor_vae_eval_accuracy": 0.7,
      "mig": 0.2,
      "modularity": 0.85,
      "explicitness_test": 0.5,
      "disentanglement": 0.4,
      "completeness": 0.3,
      "informativeness_test": 0.6,
      "sap": 0.05,
      "gaussian_total_correlation": 1.5,
      "mutual_information": 0.1,
      "sampled_gaussian_total_correlation": 0.5,
      "accuracy_10": 0.1,
      "accuracy_100": 0.2,
      "accuracy_1000": 0.6,
      "accuracy_10000": 0.8,
      "efficiency": 0.25,
      "accuracy_100_gradient_boosting": 0.3,
      "accuracy_10000_gradient_boosting": 0.9,
      "efficiency_gradient_boosting": 1 / 3,
      "reconstruction_nats": 50.0,
      "kl": 20.0,
      "elbo": -70.0,
    }
  )


@pytest.mark.parametrize("index", [0, 1_750, 10_800, 12_599, 4_321])
def test_models_are_what_their_number_says(tmp_path, index):
  write_dlib_file(tmp_path / "deep" / "er", index, "mig", {"discrete_mig": 0.3})
  table = read_dlib_results(tmp_path)
  data, method, strength, seed = dlib_model(index)
  assert sorted(table["run"].unique()) == [f"deep/er/{index}"]
  assert sorted(table["data"].unique()) == [data] and sorted(
    table["method"].unique()
  ) == [method]
  assert sorted(table["strength"].unique()) == [strength] and sorted(
    table["seed"].unique()
  ) == [seed]
  assert sorted(table["step"].unique()) == [300_000] and table.attrs["taken"] == "last"


def test_settings_are_named(tmp_path):
  write_dlib_file(tmp_path, 1_750, "mig", {"discrete_mig": 0.3})
  assert sorted(read_dlib_results(tmp_path)["setting"].unique()) == ["c_max=100.0"]


def test_nan_is_a_missing_row(tmp_path):
  write_dlib_file(tmp_path, 0, "mig", {"discrete_mig": float("nan")})
  write_dlib_file(tmp_path, 1, "mig", {"discrete_mig": 0.5})
  table = read_dlib_results(tmp_path, planned=3)
  assert select(table, score="mig")["value"].tolist() == [0.5]
  assert missing_models(table, ["mig"]) == 2


def test_values_of_another_sweep_count_from_the_least(tmp_path):
  for number, beta in enumerate(("4.0", "0.5", "1.0")):
    changes = {"train_config.vae.beta": beta}
    write_dlib_file(tmp_path, number, "mig", {"discrete_mig": 0.5}, **changes)
  wide = pivot(read_dlib_results(tmp_path), ["mig"])
  assert dict(zip(wide.setting, wide.strength.tolist(), strict=True)) == {
    "beta=4.0": 2, "beta=0.5": 0, "beta=1.0": 1,
  }  # fmt: skip


def test_a_partial_download_keeps_the_strengths_of_the_paper(tmp_path):
  write_dlib_file(tmp_path, 150, "mig", {"discrete_mig": 0.5})
  assert sorted(read_dlib_results(tmp_path)["strength"].unique()) == [3]


def test_unknown_metrics_are_passed_over(tmp_path):
  write_dlib_file(tmp_path, 0, "mig", {"discrete_mig": 0.5})
  write_dlib_file(tmp_path, 0, "my_metric", {"mine": 0.5})
  assert "mine" not in sorted(read_dlib_results(tmp_path)["score"].unique())


@pytest.mark.parametrize(
  ("changes", "message"),
  [
    ({"train_config.model.name": "'gan'"}, "the model is 'gan', which is not one of"),
    ({"train_config.model.name": "gan("}, "is 'gan\\(', not a value of gin"),
    ({"train_config.model.name": 7}, "is 7, not a value of gin"),
    ({"train_config.model.name": "7"}, "is 7, it must be a text"),
    ({"train_config.vae.beta": "'high'"}, "is 'high', it must be a number"),
    ({"train_config.model.random_seed": "0.5"}, "it must be a whole number"),
    ({"evaluation_results.discrete_mig": "high"}, "mig is 'high', which is no number"),
    (
      {"evaluation_config.evaluation.name": "'dci'"},
      "scores of 'dci', but lies in mig",
    ),
  ],
)
def test_mistakes_in_files_name_the_file(tmp_path, changes, message):
  path = write_dlib_file(tmp_path, 0, "mig", {"discrete_mig": 0.5}, **changes)
  with pytest.raises(UserError, match=message) as error:
    read_dlib_results(tmp_path)
  assert str(error.value).startswith(str(path)) and "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["", "{", "[1]", '"text"', "\x00", "[" * 100_000])
def test_damaged_files_are_named(tmp_path, text):
  path = dlib_file(tmp_path, 0, "mig")
  path.parent.mkdir(parents=True)
  path.write_text(text, encoding="utf-8")
  with pytest.raises(UserError) as error:
    read_dlib_results(tmp_path)
  assert str(path) in str(error.value) and "\n" not in str(error.value)


def test_what_is_not_there_is_named(tmp_path):
  path = write_dlib_file(tmp_path, 0, "mig", {"discrete_mig": 0.5})
  content = json.loads(path.read_text(encoding="utf-8"))
  del content["train_config.dataset.name"]
  path.write_text(json.dumps(content), encoding="utf-8")
  with pytest.raises(UserError, match="it has no train_config.dataset.name"):
    read_dlib_results(tmp_path)
  with pytest.raises(UserError, match="has no model with a file metrics/"):
    read_dlib_results(tmp_path / "nowhere")


def test_files_of_one_model_must_agree(tmp_path):
  write_dlib_file(tmp_path, 0, "mig", {"discrete_mig": 0.5})
  changes = {"train_config.model.random_seed": "3"}
  write_dlib_file(tmp_path, 0, "sap_score", {"SAP_score": 0.5}, **changes)
  with pytest.raises(UserError, match="seed is 3, but 0 in another file of this model"):
    read_dlib_results(tmp_path)


def test_the_table_is_whole(tmp_path):
  for index in range(0, 1_800, 50):  # every setting on dSprites, seed 0
    write_dlib_file(tmp_path, index, "mig", {"discrete_mig": index / 1_800})
  wide = pivot(read_dlib_results(tmp_path), ["mig"])
  numbers = np.array([int(run) for run in wide.run])
  np.testing.assert_allclose(wide["mig"], numbers / 1_800)
  assert len(set(zip(wide.method, wide.strength.tolist(), strict=True))) == 36
