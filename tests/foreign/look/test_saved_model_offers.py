import pytest
from saved_model_checks import SHAPE, edit

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.foreign_model import ForeignModel


def test_an_unknown_type_is_not_taken_for_images(copy):
  def change(graph):
    for info in graph.signature_def["serving_default"].inputs.values():
      info.dtype = 9999

  with (
    ForeignModel(edit(copy, change)) as model,
    pytest.raises(UserError, match="takes no images.* x unknown"),
  ):
    model.open(SHAPE)
