import gin
import pytest
from command_calls import COMPOSED_RUNS, run_files

from disentangle_tf.commands.cpu_size import at_cpu_size
from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.commands.gin_files import shipped
from disentangle_tf.errors import UserError

PARTS = ("training", "locatello", "zietlow")
RUNS = [n for n in shipped("runs") if n not in PARTS and not n.endswith("cpu_size")]
MOST_STEPS = 20_000


@pytest.mark.parametrize("name", [*RUNS, *COMPOSED_RUNS])
def test_every_run_is_small_on_a_set_that_needs_no_download(name):
  files, bindings = run_files(name)
  read_configuration(at_cpu_size(files), bindings)
  bound = gin.get_bindings("training.train")
  assert bound["steps"] <= MOST_STEPS
  assert len(bound["data"]) < 10_000


def test_files_after_the_run_still_win():
  files = ["gin/models/beta_vae.gin", "gin/runs/locatello.gin", "gin/data/spot.gin"]
  assert at_cpu_size(files) == [*files[:2], "gin/runs/cpu_size.gin", files[2]]


def test_a_run_names_its_file_or_none():
  zietlow = ["gin/models/pcl.gin", "gin/runs/zietlow.gin"]
  assert at_cpu_size(zietlow) == [*zietlow, "gin/runs/zietlow_cpu_size.gin"]
  assert at_cpu_size(["gin/runs/demo_overlap.gin"]) == ["gin/runs/demo_overlap.gin"]


def test_cpu_size_without_a_run_is_refused():
  with pytest.raises(UserError, match="--cpu_size needs a run"):
    at_cpu_size(["gin/data/spot.gin"])
