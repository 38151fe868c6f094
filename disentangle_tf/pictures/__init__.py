"""Pictures of models and data sets, drawn with `plots`."""

from disentangle_tf.pictures.factor_latent import (
  factor_latent_figure,
  factor_latent_matrices,
)
from disentangle_tf.pictures.latent_planes import (
  latent_plane,
  latent_plane_figure,
  plane_latents,
)
from disentangle_tf.pictures.latent_traversals import (
  latent_traversal,
  latents_figure,
  reconstructions,
  samples,
  traversal_values,
)
from disentangle_tf.pictures.model_pictures import visualize
from disentangle_tf.pictures.perceived_distances import (
  factor_traversals,
  levels_figure,
  perceived_figures,
  write_perceived,
)
from disentangle_tf.pictures.picture_files import (
  check_drawable,
  has_images,
  most_rows,
  write_pictures,
)

__all__ = [
  "check_drawable",
  "factor_latent_figure",
  "factor_latent_matrices",
  "factor_traversals",
  "has_images",
  "latent_plane",
  "latent_plane_figure",
  "latent_traversal",
  "latents_figure",
  "levels_figure",
  "most_rows",
  "perceived_figures",
  "plane_latents",
  "reconstructions",
  "samples",
  "traversal_values",
  "visualize",
  "write_perceived",
  "write_pictures",
]
