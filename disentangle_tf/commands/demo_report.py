"""report.html of bin/demo: two models, their scores and pictures."""

import numpy as np

from disentangle_tf.output_files import write_text

_SHOWN = 9
SCORES = (  # that Michlo et al. report
  "mig",
  "disentanglement",
  "completeness",
  "informativeness_train",
  "informativeness_test",
)
_NAMES = {"mse": "Pixel-wise loss (MSE)", "overlap": "Overlap loss (box blur)"}


def write_report(path, exports, scores, *, num_seeds):
  """Writes report.html from the exports {loss: folder} and their median scores."""
  from disentangle_tf import perceived, pictures, plots
  from disentangle_tf.data import data_from_config
  from disentangle_tf.export import ExportedModel, reconstruction_loss_of
  from disentangle_tf.latent_use import most_used_first

  models = {loss: ExportedModel(folder) for loss, folder in exports.items()}
  data = data_from_config(models["mse"].manifest["data"])
  factors = data.factors.draw(256, np.random.default_rng(0))
  images = data.observe(factors).numpy()
  reconstructions, traversals, distances = {}, {}, {}
  for loss, model in models.items():
    name = _NAMES[loss]
    mean, log_variance = model.encode(images)
    rows = pictures.reconstructions(model, images[:_SHOWN])
    traversal = pictures.latent_traversal(model.decode, mean[0])[
      most_used_first(mean, log_variance)
    ]
    reconstructions[name], traversals[name] = (
      plots.picture_to_png(plots.image_grid(picture, scale=4, padding=3))
      for picture in (rows, traversal)
    )
    figure = plots.matrices_figure(
      perceived.distance_matrices(data, reconstruction_loss_of(model.manifest)),
      data.factors.names,
      label="perceived distance",
    )
    distances[name] = plots.figure_to_png(figure)
  text = plots.html_report(
    title="Overlooked implications of the reconstruction loss, in miniature",
    introduction=(
      "Two squares move over an 8x8 grid without ever sharing a pixel with their other "
      "positions. A pixel-wise loss sees the same distance between any two positions, "
      "so a beta-VAE has no reason to order them; comparing blurred images as well "
      "gives the order back."
    ),
    parts=[
      plots.table_part(
        "Scores",
        f"Median of {num_seeds} seed(s); pictures are of seed 0. MIG and DCI, higher "
        "is better.",
        {
          _NAMES[loss]: {name: values[name] for name in SCORES}
          for loss, values in scores.items()
        },
      ),
      plots.pictures_part(
        "Perceived distances",
        "Between the values of each factor. Left: all but the diagonal is one colour. "
        "Right: near positions are near.",
        distances,
      ),
      plots.pictures_part(
        "Reconstructions",
        "Images above, reconstructions below.",
        reconstructions,
        pixels=True,
      ),
      plots.pictures_part(
        "Latent traversals",
        "One row per latent, from -2 to 2, the most used first. A disentangled latent "
        "moves one square along one axis.",
        traversals,
        pixels=True,
      ),
    ],
  )
  write_text(path, text)
