"""Numbers of disentanglement_lib's 12,600 models: method, data set, strength, seed."""

from __future__ import annotations

from collections.abc import Sequence

from disentangle_tf.errors import UserError

NUM_SEEDS = 50
NUM_STRENGTHS = 6

# In the order of the study's sweep. {name there: name here}.
DATA = {
  "dsprites_full": "dsprites",
  "color_dsprites": "color_dsprites",
  "noisy_dsprites": "noisy_dsprites",
  "scream_dsprites": "scream_dsprites",
  "smallnorb": "smallnorb",
  "cars3d": "cars3d",
  "shapes3d": "shapes3d",
}

# {name there: (label here, binding that is swept, its values in ascending order)}.
SWEEPS = {
  "beta_vae": ("beta-VAE", "vae.beta", (1, 2, 4, 6, 8, 16)),
  "factor_vae": ("FactorVAE", "factor_vae.gamma", (10, 20, 30, 40, 50, 100)),
  "dip_vae_i": ("DIP-VAE-I", "dip_vae.lambda_od", (1, 2, 5, 10, 20, 50)),
  "dip_vae_ii": ("DIP-VAE-II", "dip_vae.lambda_od", (1, 2, 5, 10, 20, 50)),
  "beta_tc_vae": ("beta-TCVAE", "beta_tc_vae.beta", (1, 2, 4, 6, 8, 10)),
  "annealed_vae": ("AnnealedVAE", "annealed_vae.c_max", (5, 10, 25, 50, 75, 100)),
}

NUM_MODELS = len(DATA) * len(SWEEPS) * NUM_STRENGTHS * NUM_SEEDS


def dlib_index(data: str, method: str, strength: int, seed: int) -> int:
  """n = 1800 d + 300 m + 50 k + s: `--model_num`, and the name of the published file.

  Args:
    data: name of the data set here, such as "dsprites".
    method: label of the method here, such as "beta-VAE".
    strength: place 0 to 5 of its swept value.
    seed: 0 to 49.

  Returns:
    A whole number from 0 to 12,599.

  Reference: Locatello et al. 2019; disentanglement_lib, unsupervised_study_v1/sweep.py.
  """
  sizes = (len(SWEEPS), NUM_STRENGTHS, NUM_SEEDS)
  number = _place("data", data, list(DATA.values()))
  methods = [label for label, _, _ in SWEEPS.values()]
  places = (
    _place("method", method, methods),
    _place("strength", strength, range(NUM_STRENGTHS)),
    _place("seed", seed, range(NUM_SEEDS)),
  )
  for size, place in zip(sizes, places, strict=True):
    number = number * size + place
  return number


def dlib_model(index: int) -> tuple[str, str, int, int]:
  """(data, method, strength, seed) of the model with this number, see `dlib_index`."""
  if index not in range(NUM_MODELS):
    raise UserError(f"dlib_model.index is {index!r}: it must be 0 to {NUM_MODELS - 1}")
  number, seed = divmod(int(index), NUM_SEEDS)
  number, strength = divmod(number, NUM_STRENGTHS)
  data, method = divmod(number, len(SWEEPS))
  return (
    list(DATA.values())[data],
    list(SWEEPS.values())[method][0],
    strength,
    seed,
  )


def _place(name: str, value: str | int, known: Sequence) -> int:
  if value not in known:
    shown = ", ".join(map(str, known))
    raise UserError(f"dlib_index.{name} is {value!r}: it must be one of {shown}")
  return list(known).index(value)
