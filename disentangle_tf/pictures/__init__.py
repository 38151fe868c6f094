"""Pictures of models and data sets, drawn with `plots`."""

from disentangle_tf.pictures.check_drawable import check_drawable, has_images
from disentangle_tf.pictures.factor_latent_figure import factor_latent_figure
from disentangle_tf.pictures.factor_latent_matrices import factor_latent_matrices
from disentangle_tf.pictures.factor_traversals import factor_traversals
from disentangle_tf.pictures.latent_plane import latent_plane, plane_latents
from disentangle_tf.pictures.latent_plane_figure import latent_plane_figure
from disentangle_tf.pictures.latent_traversal import latent_traversal, traversal_values
from disentangle_tf.pictures.latents_figure import latents_figure
from disentangle_tf.pictures.levels_figure import levels_figure
from disentangle_tf.pictures.most_rows import most_rows
from disentangle_tf.pictures.perceived_figures import perceived_figures
from disentangle_tf.pictures.reconstructions import reconstructions
from disentangle_tf.pictures.samples import samples
from disentangle_tf.pictures.visualize import visualize
from disentangle_tf.pictures.write_perceived import write_perceived
from disentangle_tf.pictures.write_pictures import write_pictures

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
