import numpy as np
import pytest
from metric_checks import golden_case

from disentangle_tf.errors import UserError
from disentangle_tf.papers.locatello import independent_groups, plot_independent_groups


def _at(found, threshold):
  """(groups, discovered) at the least threshold that is no lower."""
  place = np.flatnonzero(found.thresholds >= threshold)[-1]
  return found.groups[place], found.discovered[place]


def test_the_identity_keeps_factors_apart():
  found = independent_groups(np.eye(3))
  for threshold in (1.0, 0.5, 0.0):
    assert _at(found, threshold) == (3, 3)
  assert found.merges == () and found.most == 3 and found.area == 3


def test_ones_are_one_group():
  found = independent_groups(np.ones((3, 3)))
  assert _at(found, 1.0) == (1, 3) and found.most == 1 and found.area == 0
  assert len(found.merges) == 2


def test_factors_merge_as_the_threshold_falls():
  matrix = np.array([[0.9, 0.2], [0.0, 0.6]])  # latent 0 knows factor 1, too
  found = independent_groups(matrix)
  assert found.thresholds.tolist() == [0.9, 0.6, 0.2, 0.0]
  assert found.groups.tolist() == [1, 2, 1, 1]
  assert found.discovered.tolist() == [1, 2, 2, 2]
  assert found.merges == ((0.2, (1,), (0,)),)
  assert found.area == pytest.approx(1.5 * 0.3 + 1.5 * 0.4 + 1 * 0.2)


@pytest.mark.parametrize("case", "12345")
def test_golden(case):
  golden = golden_case(case)[0]
  matrix = np.array(golden["intermediate"]["scores"]["mutual_information_matrix"])
  found = independent_groups(matrix)
  expected = golden["unified_scores"]["scores"]
  area = expected["mutual_information_matrix.area_precision"]
  assert found.area == pytest.approx(area, abs=1e-9)
  assert found.most == expected["mutual_information_matrix.max_precision"]


def test_wrong_matrices_are_refused():
  with pytest.raises(UserError, match="finite numbers"):
    independent_groups([[np.nan]])
  with pytest.raises(UserError, match="below 0"):
    independent_groups([[-0.5]])


def test_groups_and_discovered_factors():
  figure = plot_independent_groups({"eye": np.eye(3), "ones": np.ones((2, 3))})
  first, second = figure["independent_groups"].axes
  assert first.get_title() == "eye" and set(first.get_lines()[0].get_ydata()) == {3}
  assert set(second.get_lines()[0].get_ydata()) == {1}
  assert set(second.get_lines()[1].get_ydata()) == {3}
  assert first.texts[0].get_text() == "area 3.00, most 3"
