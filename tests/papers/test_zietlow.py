import pytest

from disentangle_tf.papers import FIGURES, zietlow_table_1
from disentangle_tf.papers.zietlow import FIGURES as OF_ZIETLOW

METHODS = ["beta-VAE", "FactorVAE", "beta-TCVAE", "SlowVAE", "PCL"]


@pytest.mark.parametrize("data", ["dsprites", "shapes3d"])
def test_every_cell_of_the_tables_is_there(data):
  table = zietlow_table_1(data)
  assert list(table) == ["mig", "disentanglement", "factor_vae_eval_accuracy", "sap"]
  assert table["mig"].pop("AE").keys() == {"original"}
  for methods in table.values():
    assert list(methods) == METHODS
    for versions in methods.values():
      assert list(versions) == ["original", "modified", "noise"]


def test_known_cells():
  assert zietlow_table_1("dsprites")["mig"]["beta-VAE"]["modified"] == "0.07 ± 0.09"
  assert zietlow_table_1("shapes3d")["sap"]["SlowVAE"]["noise"] == "0.09 ± 0.05"


def test_its_figures_are_among_those_of_all_papers():
  assert OF_ZIETLOW.items() <= FIGURES.items()
