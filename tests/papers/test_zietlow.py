import gin
import numpy as np
import pytest

from disentangle_tf import data, losses, models, networks, training
from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.errors import UserError
from disentangle_tf.export import write_export
from disentangle_tf.papers import FIGURES, plot_directions, zietlow_table_1
from disentangle_tf.papers.zietlow import FIGURES as OF_ZIETLOW
from disentangle_tf.papers.zietlow import angles_between
from disentangle_tf.studies import FinishedRun

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


def _linear_export(folder, matrix, points):
  """An export whose decoder is codes @ matrix."""
  encoder = networks.linear_encoder((2,), latents=2)
  decoder = networks.linear_decoder((2,), latents=2)
  kernel, bias = decoder.weights
  kernel.assign(matrix)
  bias.assign(np.zeros(2))
  model = models.BetaVAE(encoder, decoder, losses.MSE(), beta=1.0)
  return write_export(model, folder, data=points)


def _turned(degrees):
  angle = np.radians(degrees)
  return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def _rows(found):
  """{(model, seed): cells} of the table."""
  lines = found["directions.md"].split("\n\n")[0].split("\n")[2:]
  cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
  return {(name, seed): rest for name, seed, *rest in cells}


def test_angles():
  columns = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, -5.0]])
  np.testing.assert_allclose(angles_between(columns, np.eye(2)), [0, 45, 0], atol=1e-6)
  turned = _turned(30.0)
  np.testing.assert_allclose(angles_between(columns, turned), [30, 15, 30], atol=1e-6)


def test_a_linear_decoder_has_the_angle_of_its_matrix(tmp_path):
  points = data.Lattice(points_per_cluster=4)
  finished = [
    FinishedRun(
      "linear", {}, seed, _linear_export(tmp_path / str(seed), matrix, points), {}
    )
    for seed, matrix in enumerate([np.diag([2.0, 1.0]) @ _turned(10.0), np.eye(2)])
  ]
  found = plot_directions(finished, num_places=5)
  rows = _rows(found)
  assert rows["linear", "0"][:2] == ["10.0°", "100 %"]
  assert rows["linear", "0"][3] == "4.000, 1.000"
  assert rows["linear", "1"][:2] == ["0.0°", "100 %"]
  axis, cosine = rows["PCA", "–"][0], rows["PCA", "–"][2]
  assert float(axis.rstrip("°")) > 40 and cosine == "0.0°"
  above = found["directions"].axes[:2]
  assert [axis.get_title() for axis in above] == ["linear", "PCA"]
  assert [len(axis.get_lines()) for axis in above] == [10, 10]  # the first seed's


def test_errors(tmp_path, exported):
  finished = FinishedRun("a", {}, 0, exported[0], {})
  with pytest.raises(UserError, match="draws two latents in the plane"):
    plot_directions([finished])
  exports = [
    _linear_export(tmp_path / str(seed), np.eye(2), data.Lattice(seed=seed))
    for seed in (0, 1)
  ]
  finished = [FinishedRun("a", {}, seed, e, {}) for seed, e in enumerate(exports)]
  with pytest.raises(UserError, match="the models have several data sets"):
    plot_directions(finished)


@pytest.mark.slow
def test_local_directions_of_a_nonlinear_vae_and_global_ones_of_a_linear_one(tmp_path):
  """Zietlow et al. 2021, figure 1: what the shipped runs learn of the lattice."""
  finished = []
  for run in ("zietlow_lattice", "zietlow_lattice_linear"):
    read_configuration([f"gin/runs/{run}.gin"], ())
    description = training.RunDescription(text=gin.operative_config_str)
    folder = tmp_path / run
    gin.get_configurable(training.train)(output_dir=folder, description=description)
    finished.append(FinishedRun(run, {}, 0, folder / "export", {}))
  rows = _rows(plot_directions(finished))
  to_axes, near, to_principal, _ = rows["zietlow_lattice", "0"]
  assert float(to_axes.rstrip("°")) < 10 and float(near.rstrip(" %")) > 75
  assert float(to_principal.rstrip("°")) > 35
  _, _, to_principal, lengths = rows["zietlow_lattice_linear", "0"]
  assert float(to_principal.rstrip("°")) < 2
  # The variances of the cloud without the noise, beta / 2.
  np.testing.assert_allclose(
    sorted(map(float, lengths.split(","))), [1.436, 2.131], atol=0.03
  )
