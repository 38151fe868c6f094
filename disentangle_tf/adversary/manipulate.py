"""Training of the adversary, from references to a manipulated set."""

import pathlib

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.adversary.manipulator import PARTS, Manipulator
from disentangle_tf.adversary.monitor import ManipulationMonitor
from disentangle_tf.adversary.reference import MOST_ABOVE, compared_points
from disentangle_tf.adversary.write_manipulation import write_manipulation
from disentangle_tf.argument_checks import check_count, check_seed
from disentangle_tf.data import Batches
from disentangle_tf.data.grid_index import grid_index
from disentangle_tf.errors import UserError
from disentangle_tf.training import RunDescription, Saving, Watching, devices
from disentangle_tf.training.interruption import Interruption
from disentangle_tf.training.session import open_session
from disentangle_tf.training.workers import Workers


def manipulate(
  *,
  data,
  entangled,
  disentangled,
  manipulation,
  optimizer,
  decoder_optimizer,
  epsilon,
  steps,
  output_dir,
  batch_size=64,
  samples=5,
  seed=0,
  jit_compile=None,
  watching=None,
  saving=None,
  description=None,
  resume=False,
  overwrite=False,
):
  """Learns a change of `data` under which entangled models reconstruct better.

  `output_dir` then holds checkpoints/, tensorboard/ and set/, the manipulated set that
  `data.Manipulated` reads.

  Args:
    data: a `GroundTruthData` with one image per point.
    entangled, disentangled: [`Reference`] of models trained on it.
    manipulation: makes the `Manipulation` of an image shape and a number of factors,
      such as `mlp_manipulation`.
    optimizer, decoder_optimizer: make the Keras optimisers of the manipulation and of
      the decoders.
    epsilon: the largest change of a pixel.
    steps: how many; a step takes four batches, three of them for the decoders.
    output_dir: folder for all that is written.
    batch_size: images of one of the four batches.
    samples: codes drawn per image.
    seed: of the manipulation's weights, the batches and the codes.
    jit_compile: whether XLA compiles the step; by default on a GPU.
    watching, saving, description: as of `training.train`; `watching` says how often the
      adversary is logged and drawn, and what only `train` shows is refused.
    resume, overwrite: as of `training.train`.

  Returns:
    The folder of the manipulated set.
  """
  check_count("manipulate", steps=steps, batch_size=batch_size)
  check_seed("manipulate", seed=seed)
  strategy = tf.distribute.get_strategy()
  if strategy.num_replicas_in_sync > 1:
    raise UserError(
      "manipulate trains on one replica: call it outside of the strategy's scope"
    )
  watching, saving = watching or Watching(), saving or Saving()
  _check_watching(watching)
  description = description or RunDescription()
  output_dir = pathlib.Path(output_dir)
  keras.utils.set_random_seed(seed)
  manipulator = Manipulator(
    manipulation(data.observation_shape, len(data.factors)),
    entangled,
    disentangled,
    data.factors,
    epsilon=epsilon,
    decoder_optimizer=decoder_optimizer(),
    samples=samples,
  )
  manipulator.seed = seed
  manipulator.compile(optimizer(), jit_compile=False)  # the step runner compiles
  manipulator.optimizer.build(manipulator.trainable_variables)
  batches = Batches(
    data, batch_size=PARTS * batch_size, seed=seed, label_of=lambda factors: factors
  )
  errors = _check_references(manipulator.references, data)
  text = description.text()
  interruption = Interruption()
  with (
    interruption.watch(),
    open_session(
      manipulator,
      output_dir,
      whose="manipulate",
      steps=steps,
      text=text,
      description=description,
      saving=saving,
      workers=Workers(strategy),
      interruption=interruption,
      resume=resume,
      overwrite=overwrite,
    ) as session,
  ):
    if not session.is_finished:
      with ManipulationMonitor(
        manipulator, data, output_dir / "tensorboard"
      ) as monitor:
        session.learn(
          batches,
          monitor,
          strategy=strategy,
          jit_compile=devices.on_gpu() if jit_compile is None else jit_compile,
          watching=watching,
        )
    return write_manipulation(
      manipulator.manipulation,
      data,
      output_dir / "set",
      epsilon=epsilon,
      overwrite=True,  # that of fewer steps
      seed=seed,
      step=steps,
      references={
        kind: [{"run": reference.name, **reference.told} for reference in references]
        for kind, references in manipulator.references.items()
      },
      squared_errors=errors,
      configuration=text,
    )


def _check_watching(watching):
  for name in ("distances", "trace_graph", "profile"):
    if getattr(watching, name):
      raise UserError(
        f"manipulate: Watching.{name} shows a model in training, not the adversary: "
        "leave it out"
      )


def _check_references(references, data):
  """{kind: squared error} of original images; an error if they do not compare.

  An entangled model that reconstructs much worse has pruned latents or was trained too
  little; the gap then says nothing about how latents are aligned.
  """
  factors = compared_points(data)
  images, places = data.observe(factors), grid_index(data.factors, factors).numpy()
  errors = {
    kind: float(np.mean([each.squared_error(images, places) for each in of_kind]))
    for kind, of_kind in references.items()
  }
  if errors["entangled"] > MOST_ABOVE * errors["disentangled"]:
    raise UserError(
      f"the entangled references reconstruct original images with a squared error of "
      f"{errors['entangled']:.4g}, the disentangled ones of "
      f"{errors['disentangled']:.4g}: more than 10 % above, they do not compare; "
      "choose others"
    )
  return errors
