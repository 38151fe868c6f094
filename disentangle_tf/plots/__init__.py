"""Every figure, made from plain arrays."""

from disentangle_tf.plots.image_grid import image_grid, to_rgb

__all__ = ["image_grid", "to_rgb"]
