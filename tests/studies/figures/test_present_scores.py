import pytest
from study_tables import made_up_study

from disentangle_tf.errors import UserError
from disentangle_tf.studies.figures.present_scores import present_scores


def test_in_the_order_that_was_asked_for():
  table = made_up_study(num_strengths=1, num_seeds=1)
  assert present_scores(table, ("sap", "none", "mig"), "plot") == ("sap", "mig")
  with pytest.raises(UserError, match="plot needs one of none; the table has accuracy"):
    present_scores(table, ("none",), "plot")
