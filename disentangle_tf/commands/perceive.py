r"""Shows what a reconstruction loss sees of a data set, before anything is trained.

  python bin/perceive.py --gin_file gin/data/dsprites.gin --output_dir runs/seen
  python bin/perceive.py --gin_file gin/data/xysquares.gin \
      --gin_file gin/losses/overlap.gin --output_dir runs/seen_blurred
  python bin/perceive.py --gin_file gin/data/xysquares_small.gin --rank_losses \
      --output_dir runs/ranked

writes importance.json, agreement.json, a table and figures. Where distances between
images do not grow with those of the factors, a VAE with this loss will not disentangle.
The loss is MSE unless a file of gin/losses names another; --rank_losses tries a list.
"""

from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.commands.gin_configuration import configured, read_configuration
from disentangle_tf.commands.quiet_start import start_tensorflow
from disentangle_tf.errors import UserError


def perceive(values):
  """Reads the configuration and looks."""
  output_dir = command_line.required(values, "output_dir")
  if not values.gin_file:
    raise UserError("--gin_file is missing: try --gin_file gin/data/xysquares.gin")
  start_tensorflow()
  from disentangle_tf import perceived

  bindings = [*values.gin_bindings, "perceived.perceive.data = %DATA"]
  if any("losses/" in file for file in values.gin_file):
    bindings.append("perceived.perceive.loss = %LOSS")
  read_configuration(values.gin_file, bindings)
  found = configured(perceived.perceive, "gin/data/xysquares.gin")(
    output_dir=output_dir, rank_losses=values.rank_losses, overwrite=values.overwrite
  )
  with open(f"{output_dir}/importance.md", encoding="utf-8") as file:
    print(file.read())
  if found["agreement"]["adversarial"]:
    print("adversarial: along every factor this loss sees one and the same distance\n")
  if found["ranking"]:
    with open(f"{output_dir}/ranking.md", encoding="utf-8") as file:
      print(file.read())
  print(f"written to {output_dir}")


def main():
  """Entry point of bin/perceive.py and dtf_perceive."""
  values = command_line.gin_flags()
  flags.DEFINE_bool(
    "rank_losses", False, "Also try a list of losses.", flag_values=values
  )
  command_line.run(perceive, values, __doc__)


if __name__ == "__main__":
  main()
