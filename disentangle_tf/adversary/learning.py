"""Training of the adversary, from references to a manipulated set."""

from __future__ import annotations

import pathlib
import typing
from collections.abc import Callable, Mapping, Sequence

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.adversary.manipulated_folder import write_manipulation
from disentangle_tf.adversary.manipulator import PARTS, ManipulationMonitor, Manipulator
from disentangle_tf.adversary.references import MOST_ABOVE, compared_points
from disentangle_tf.arguments import check_count, check_seed
from disentangle_tf.data import Batches
from disentangle_tf.data.factor_space import grid_index
from disentangle_tf.errors import UserError
from disentangle_tf.training import RunDescription, Saving, Watching
from disentangle_tf.training.interruption import Interruption
from disentangle_tf.training.model_building import uses_xla
from disentangle_tf.training.session import open_session
from disentangle_tf.training.workers import Workers

if typing.TYPE_CHECKING:
  import os

  from disentangle_tf.adversary.manipulation import Manipulation
  from disentangle_tf.adversary.references import Reference
  from disentangle_tf.data import GroundTruthData


def manipulate(
  *,
  data: GroundTruthData,
  entangled: Sequence[Reference],
  disentangled: Sequence[Reference],
  manipulation: Callable[[tuple, int], Manipulation],
  optimizer: Callable[[], keras.optimizers.Optimizer],
  decoder_optimizer: Callable[[], keras.optimizers.Optimizer],
  epsilon: float,
  steps: int,
  output_dir: str | os.PathLike,
  batch_size: int = 64,
  samples: int = 5,
  seed: int = 0,
  jit_compile: bool | None = None,
  watching: Watching | None = None,
  saving: Saving | None = None,
  description: RunDescription | None = None,
  resume: bool = False,
  overwrite: bool = False,
) -> pathlib.Path:
  """Learn a change of `data` under which entangled models reconstruct better.

  `output_dir` then holds checkpoints/, tensorboard/ and set/, the manipulated set that
  `data.Manipulated` reads.

  Args:
    data: a `GroundTruthData` with one image per point.
    entangled, disentangled: [`Reference`] of models trained on it.
    manipulation: function of an image shape and a number of factors that makes the
      `Manipulation`, such as `mlp_manipulation`.
    optimizer, decoder_optimizer: classes or functions without arguments that make the
      Keras optimisers of the manipulation and of the decoders.
    epsilon: the largest change of a pixel.
    steps: number of steps; a step takes four batches, three of them for the decoders.
    output_dir: folder for everything that is written.
    batch_size: images of one of the four batches.
    samples: codes drawn per image.
    seed: of the manipulation's weights, the batches and the codes.
    jit_compile: whether XLA compiles the step; by default as for `train`, see
      `training.Computing`.
    watching: a `training.Watching`: how often the adversary is logged and drawn. Its
      `distances`, `trace_graph` and `profile` must be False.
    saving, description, resume, overwrite: as for `training.train`.

  Returns:
    The folder of the manipulated set.

  Raises:
    UserError: if an argument does not fit, or the references do not compare.

  Example:
    >>> import keras
    >>> from disentangle_tf import adversary, data, losses, models, networks
    >>> squares = data.XYSquares(
    ...   image_size=8, square_size=2, grid_spacing=2, num_squares=1
    ... )
    >>> shape = squares.observation_shape
    >>> encoder = networks.mlp_encoder(shape, latents=2)
    >>> decoder = networks.mlp_decoder(shape, latents=2)
    >>> model = models.BetaVAE(encoder, decoder, losses.MSE(), beta=0.1)
    >>> reference = adversary.Reference.of_model(model, squares)
    >>> folder = adversary.manipulate(  # doctest: +SKIP
    ...   data=squares,
    ...   entangled=[reference],
    ...   disentangled=[reference],
    ...   manipulation=adversary.mlp_manipulation,
    ...   optimizer=keras.optimizers.Adam,
    ...   decoder_optimizer=keras.optimizers.Adam,
    ...   epsilon=0.1,
    ...   steps=10_000,
    ...   output_dir="runs/manipulated",
    ... )
    >>> data.Manipulated(squares, folder).observation_shape  # doctest: +SKIP
    (8, 8, 1)
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
  # The step runner compiles. Keras' own default makes its type look like text.
  manipulator.compile(optimizer(), jit_compile=False)  # pyright: ignore[reportArgumentType]
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
          jit_compile=uses_xla(
            jit_compile,
            manipulator.networks,
            strategy,
            steps,
            whose="adversary.manipulate",
          ),
          watching=watching,
        )
    return write_manipulation(
      manipulator.manipulation,
      data,
      output_dir / "set",
      epsilon=epsilon,
      overwrite=True,  # a set after fewer steps
      seed=seed,
      step=steps,
      references={
        kind: [{"run": reference.name, **reference.told} for reference in references]
        for kind, references in manipulator.references.items()
      },
      squared_errors=errors,
      configuration=text,
    )


def _check_watching(watching: Watching) -> None:
  for name in ("distances", "trace_graph", "profile"):
    if getattr(watching, name):
      raise UserError(f"manipulate: Watching.{name} is for train only: leave it out")


def _check_references(
  references: Mapping[str, Sequence[Reference]], data: GroundTruthData
) -> dict[str, float]:
  """{kind: mean squared error} on original images; fail if they do not compare.

  An entangled model that reconstructs much worse has pruned latents or was trained too
  little; the gap then says nothing about the alignment of latents.
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
