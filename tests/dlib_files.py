"""Result files as disentanglement_lib writes them."""

import json

from disentangle_tf.papers.locatello.published_models import SWEEPS, dlib_model

RESULTS = {
  "beta_vae_sklearn": {"eval_accuracy": 0.8, "train_accuracy": 0.9},
  "factor_vae_metric": {"eval_accuracy": 0.7, "num_active_dims": 10},
  "mig": {"discrete_mig": 0.2},
  "modularity_explicitness": {
    "modularity_score": 0.85, "explicitness_score_train": 0.6,
    "explicitness_score_test": 0.5,
  },
  "dci": {"disentanglement": 0.4, "completeness": 0.3, "informativeness_test": 0.6},
  "sap_score": {"SAP_score": 0.05},
  "unsupervised": {"gaussian_total_correlation": 1.5, "mutual_info_score": 0.1},
  "downstream_task_logistic_regression": {
    "10:mean_test_accuracy": 0.1, "100:mean_test_accuracy": 0.2,
    "1000:mean_test_accuracy": 0.6, "10000:mean_test_accuracy": 0.8,
    "100:min_test_accuracy": 0.01,
  },
  "downstream_task_boosted_trees": {
    "100:mean_test_accuracy": 0.3, "10000:mean_test_accuracy": 0.9,
  },
}  # fmt: skip
_NAMES_THERE = {"dsprites": "dsprites_full"}


def _configuration(index, metric, representation):
  """All values are text, and texts have quotes inside."""
  data, method, strength, seed = dlib_model(index)
  name, (_, binding, values) = next(
    (name, sweep) for name, sweep in SWEEPS.items() if sweep[0] == method
  )
  return {
    "train_config.model.name": f"'{name}'",
    "train_config.model.model": "@vae()",
    "train_config.model.model_num": str(index),
    "train_config.model.random_seed": str(seed),
    "train_config.model.training_steps": "300000",
    "train_config.dataset.name": f"'{_NAMES_THERE.get(data, data)}'",
    f"train_config.{binding}": f"{values[strength]:.1f}",
    "train_results.reconstruction_loss": 50.0 + seed,
    "train_results.kl_loss": 20.0,
    "train_results.elbo": -70.0 - seed,
    "train_results.elapsed_time": 6372.1,
    "train_results.uuid": "00000000-0000-0000-0000-000000000000",
    "postprocess_config.postprocess.name": f"'{representation}'",
    "evaluation_config.evaluation.name": f"'{metric}'",
    "evaluation_config.evaluation.random_seed": "2357136044",
  }


def dlib_file(folder, index, metric, representation="mean"):
  place = folder / str(index) / "metrics" / representation / metric
  return place / "results" / "aggregate" / "evaluation.json"


def write_dlib_file(folder, index, metric, results, representation="mean", **changes):
  content = _configuration(index, metric, representation)
  content |= {f"evaluation_results.{name}": value for name, value in results.items()}
  content |= changes
  path = dlib_file(folder, index, metric, representation)
  path.parent.mkdir(parents=True)
  path.write_text(json.dumps(content, indent=2), encoding="utf-8")
  return path


def write_dlib_model(folder, index):
  for metric, results in RESULTS.items():
    write_dlib_file(folder, index, metric, results)
  write_dlib_file(
    folder, index, "unsupervised", {"gaussian_total_correlation": 0.5}, "sampled"
  )
