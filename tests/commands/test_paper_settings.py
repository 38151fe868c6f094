"""The papers' runs have the settings of the papers, or of their authors' code."""

import gin
import keras
import numpy as np
import pytest
from command_calls import run_files
from keras import layers

from disentangle_tf import data, losses
from disentangle_tf.commands.gin_configuration import read_configuration

LOCATELLO = (
  *(f"locatello_{name}" for name in ("annealed_vae", "beta_tcvae", "beta_vae")),
  *(f"locatello_{name}" for name in ("dip_vae_i", "dip_vae_ii", "factor_vae")),
)
ZIETLOW = ("ae", "beta_tcvae", "beta_vae", "factor_vae", "slow_vae")
MATHIEU = (
  "mathieu_isotropic",
  "mathieu_anisotropic",
  "mathieu_student_t",
  "mathieu_pinwheel",
  "mathieu_sparse",
)
BIASES = ("ae", "beta_tcvae", "beta_vae", "factor_vae", "pcl", "slow_vae")


def _read(name, bindings=()):
  """The configured arguments of `training.train` in a run, with small data sets."""
  files, values = run_files(name)
  if name != "mathieu_pinwheel":
    files.append("gin/data/xysquares_small.gin")  # of dSprites, only the shape matters
  read_configuration(files, [*values, *bindings])
  return gin.get_bindings("training.train")


def _steps(optimizer, gradients):
  """The values of a weight that starts at 0."""
  weight = keras.Variable(0.0)
  optimizer.build([weight])
  places = []
  for gradient in gradients:
    optimizer.apply([np.float32(gradient)], [weight])
    places.append(float(weight.numpy()))
  return places


def _adam(gradients, *, rate, beta_1, beta_2=0.999, epsilon=1e-8, amsgrad):
  """Kingma & Ba 2014, and the maximum of Reddi et al. 2018."""
  place = first = second = largest = 0.0
  places = []
  for step, gradient in enumerate(gradients, start=1):
    first = beta_1 * first + (1 - beta_1) * gradient
    second = beta_2 * second + (1 - beta_2) * gradient**2
    largest = max(largest, second)
    corrected = first / (1 - beta_1**step)
    used = (largest if amsgrad else second) / (1 - beta_2**step)
    place -= rate * corrected / (np.sqrt(used) + epsilon)
    places.append(place)
  return places


@pytest.mark.parametrize("amsgrad", [True, False])
@pytest.mark.parametrize("name", MATHIEU)
def test_the_optimiser_of_mathieu_et_al_is_amsgrad(name, amsgrad):
  bindings = [] if amsgrad else ["keras.optimizers.Adam.amsgrad = False"]
  optimizer = _read(name, bindings)["optimizer"]()
  rate = {"mathieu_pinwheel": 1e-3, "mathieu_sparse": 2e-4}.get(name, 1e-4)
  beta_1 = 0.5 if name == "mathieu_sparse" else 0.9
  gradients = [3.0] + [0.01] * 60  # what is not kept begins to fade
  settings = {"rate": rate, "beta_1": beta_1}
  expected = _adam(gradients, amsgrad=amsgrad, **settings)
  other = _adam(gradients, amsgrad=not amsgrad, **settings)
  assert abs(expected[-1] - other[-1]) > 0.003 * abs(expected[-1])
  assert _steps(optimizer, gradients)[-1] == pytest.approx(expected[-1], rel=2e-4)


@pytest.mark.parametrize("model", BIASES)
def test_the_inductive_bias_papers_encoder_is_that_of_the_library(model):
  shape = "data.observation_shape.data = @data.XYSquares()"  # 64x64x3
  for bindings, sizes in (
    ([], [4, 4, 2, 2]),
    (["networks.conv_encoder.kernel_sizes = (4, 4, 4, 4)"], [4, 4, 4, 4]),
  ):
    built = _read(f"zietlow_{model}", [shape, *bindings])["model"]()
    kernels = [
      layer.kernel_size[0]
      for layer in built.encoder.layers
      if isinstance(layer, layers.Conv2D)
    ]
    assert kernels == sizes
    if built.decoder is not None:
      upwards = [
        layer.kernel_size[0]
        for layer in built.decoder.layers
        if isinstance(layer, layers.Conv2DTranspose)
      ]
      assert upwards == [4, 4, 4, 4]


@pytest.mark.parametrize(
  ("names", "batch_size", "reduction", "standardised"),
  [
    (LOCATELLO, 64, "sum", False),
    ([f"zietlow_{name}" for name in ZIETLOW], 64, "sum", False),
    (["zietlow_pcl"], 64, None, False),
    (["zietlow_linear_vae"], 256, "sum", True),
    (["mathieu_isotropic", "mathieu_anisotropic"], 64, "sum", False),
    (["mathieu_student_t"], 256, "sum", False),
    (["mathieu_pinwheel"], 400, "sum", False),
    (["mathieu_sparse"], 256, "sum", True),
    (["michlo", "demo_mse"], 256, "mean", True),
    (["demo_mse_ada_gvae", "demo_spacing_ada_gvae"], 256, "mean", True),
  ],
)
def test_batches_reductions_and_standardisation(
  names, batch_size, reduction, standardised
):
  for name in names:
    read_configuration(*run_files(name))
    model = _value_of("MODEL").configurable.selector
    assert _used("training.train.batch_size") == batch_size
    assert (_used(f"{model}.standardisation") is not None) == standardised
    if reduction is not None:
      assert _used(f"{model}.reduction") == reduction


def test_another_model_brings_its_own_reduction():
  file = "gin/models/ada_gvae.gin"
  read_configuration(["gin/runs/zietlow_linear_vae.gin", file], [])
  assert _used("models.AdaGVAE.reduction") == "mean"
  read_configuration(["gin/runs/zietlow_linear_vae.gin", file], ["REDUCTION='sum'"])
  assert _used("models.AdaGVAE.reduction") == "sum"


def _used(setting):
  """The value of a setting, resolved through its macro."""
  return _value_of(*gin.query_parameter(setting).scopes)


def _value_of(macro):
  return gin.query_parameter(f"{macro}/gin.macro.value")


def test_every_step_of_the_pinwheel_is_the_whole_set():
  bound = _read("mathieu_pinwheel")
  batches = data.Batches(
    bound["data"], batch_size=bound["batch_size"], draw=bound["sampling"].draw
  )
  assert len(np.unique(batches.make(0).numpy(), axis=0)) == len(bound["data"]) == 400


def test_the_sparse_run_has_the_authors_divergence_and_the_papers_split():
  bound = _read("mathieu_sparse")
  divergence = bound["model"]().aggregate_divergence
  assert isinstance(divergence, losses.MMD) and divergence.per_latent
  assert gin.query_parameter("data.CelebA.split") == "train"


def test_figures_of_the_main_paper():
  read_configuration(["gin/perceived/figure_a1.gin"], [])
  assert gin.query_parameter("perceived.perceive.num_curve_pairs") == 50_000
  read_configuration(["gin/studies/michlo_figure_4.gin"], [])
  assert gin.query_parameter("studies.plot_levels.symmetric") is False


def test_the_capacity_of_locatello_et_al_is_that_of_their_code():
  shape = "data.observation_shape.data = @data.XYSquares()"
  assert _read("locatello_annealed_vae", [shape])["model"]().per_image is False
  binding = "models.AnnealedVAE.per_image = True"
  assert _read("locatello_annealed_vae", [shape, binding])["model"]().per_image is True
