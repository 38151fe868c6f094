"""Opening a model with the data set that it names."""

import numpy as np
import pytest
from shared_checks import tiny_model

from disentangle_tf import export, metrics
from disentangle_tf.data import FactorTable
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation import evaluate
from disentangle_tf.foreign.interface.reading import Reading
from disentangle_tf.scoring import Measurement


def _own_npz(path, brightness):
  """Images of a square at four places, each place in three shades."""
  images, factors = [], []
  for x in range(4):
    for shade in range(3):
      image = np.zeros((8, 8, 2), np.uint8)
      image[:, 2 * x : 2 * x + 2, 0] = brightness + 20 * shade
      images.append(image)
      factors.append([x])
  np.savez(path, images=images, factors=factors, names=["place"])
  return path


def test_scores_on_a_users_own_file(tmp_path, caplog):
  caplog.set_level("INFO", "disentangle_tf")
  data = FactorTable.from_npz(_own_npz(tmp_path / "mine.npz", 100))
  export.write_export(tiny_model(), tmp_path / "export", data=data)
  options = {
    "model": tmp_path / "export",
    "measurements": [Measurement(metrics.mig, num_points="all")],
  }
  result = evaluate(trusted=True, output_dir=tmp_path / "a", **options)
  images = data.images[:, :, :, :] / np.float32(255)
  codes = tiny_model().encode(images).mean().numpy()
  expected = metrics.mig(codes, np.repeat(np.arange(4), 3)[:, None])
  assert result["scores"] == pytest.approx(expected, abs=1e-6)  # all twelve images
  assert "(4 points, 12 images" in (tmp_path / "a" / "report.html").read_text()
  assert result["data"]["arguments"]["sha256"] == data.origin["sha256"]
  # The file changes: without --data that is an error, with it a line.
  changed = FactorTable.from_npz(_own_npz(tmp_path / "mine.npz", 60))
  with pytest.raises(UserError, match="mine.npz has changed"):
    evaluate(trusted=True, output_dir=tmp_path / "b", **options)
  assert "has changed" not in caplog.text
  evaluate(trusted=True, output_dir=tmp_path / "b", data=changed, **options)
  assert "it is another file, or has changed since" in caplog.text


def test_an_export_of_ours_is_read_by_its_contract(exported, tmp_path, caplog):
  """In a table with models that need flags."""
  caplog.set_level("INFO", "disentangle_tf")
  options = {"measurements": [Measurement(metrics.mig, num_points=100)]}
  plain = evaluate(
    model=exported[0], output_dir=tmp_path / "a", trusted=True, **options
  )
  assert (
    plain["warnings"] == []
    and "Warnings" not in (tmp_path / "a" / "report.html").read_text()
  )
  reading = Reading(
    signature="f", input_range=(-1.0, 1.0), inputs=(("keep_prob", 1.0),)
  )
  found = evaluate(
    model=exported[0],
    output_dir=tmp_path / "b",
    reading=reading,
    trusted=True,
    **options,
  )
  assert found["scores"] == plain["scores"] and not found["warnings"]
  assert "it is read by its contract" in caplog.text
