"""One run of a study: trained and scored in this process, as the commands would."""

import gc
import types

from disentangle_tf.commands.evaluate import evaluate_arguments
from disentangle_tf.commands.train import train_configured


def train_and_score(plan, folder):
  """Trains into `folder`, or goes on with what is there, and scores the export.

  The caller has the lease on `folder`, so that no other machine is at work there.
  Weights and scores are those of bin/train.py and bin/evaluate.py.

  Args:
    plan: the `studies.Plan`.
    folder: for checkpoints/, tensorboard/, export/ and scores/.
  """
  import keras

  from disentangle_tf.training.folder_lock import remove_lock_of_another_machine

  remove_lock_of_another_machine(folder)
  keras.backend.clear_session()
  gc.collect()
  train_configured(plan.files, plan.bindings, output_dir=folder, resume=True)
  from disentangle_tf import evaluation

  values = types.SimpleNamespace(
    gin_file=[plan.metrics], gin_bindings=[], data=_data_file(folder)
  )
  given = {
    "model": folder / "export",
    "output_dir": folder / "scores",
    "overwrite": True,
    "trusted": True,  # it was made here, and may name a file of the user's as its data
  }
  arguments = evaluate_arguments(values, given=tuple(given))
  evaluation.evaluate(**arguments, **given)


def _data_file(folder):
  """The file that names the data, which an export cannot if it is the user's own."""
  from disentangle_tf.data.serialisation import is_made_here
  from disentangle_tf.export import read_manifest

  known = is_made_here(read_manifest(folder / "export")["data"])
  return None if known else str(folder / "config.gin")
