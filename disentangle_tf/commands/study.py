r"""Trains and scores many models, one after another, and draws what came out.

  python bin/study.py --gin_file gin/runs/figures/figure_11.gin --output_dir runs/fig_11
  python bin/study.py --gin_file gin/runs/figures/figure_4.gin --output_dir runs/cars \
      --gin_bindings 'studies.study.files = ["gin/data/cars3d.gin"]'

writes a folder for each model, study.json, scores.md and the figures. With --resume it
keeps what is finished and goes on where it stopped.
"""

import gin
from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.commands.gin_configuration import configured, read_configuration
from disentangle_tf.commands.quiet_start import start_tensorflow
from disentangle_tf.errors import UserError
from disentangle_tf.output_files import check_output_dir

_EXAMPLE = "gin/runs/figures/figure_10.gin"


def study(values):
  """Reads the configuration and runs."""
  output_dir = command_line.required(values, "output_dir")
  if not values.gin_file:
    raise UserError(f"--gin_file is missing: try --gin_file {_EXAMPLE}")
  check_output_dir(output_dir, resume=values.resume, overwrite=values.overwrite)
  start_tensorflow()
  from disentangle_tf import studies

  def read():
    read_configuration(values.gin_file, values.gin_bindings)

  def check(files, bindings):
    try:
      read_configuration(files, bindings)
    finally:
      read()  # the study's own, which its drawing still needs

  read()
  configured(studies.study, _EXAMPLE)(
    output_dir=output_dir,
    resume=values.resume,
    overwrite=values.overwrite,
    check=check,
    describe=gin.config_str,
  )
  with open(f"{output_dir}/scores.md", encoding="utf-8") as file:
    print(f"\n{file.read()}\nwritten to {output_dir}")


def main():
  """Entry point of bin/study.py and dtf_study."""
  values = command_line.gin_flags()
  flags.DEFINE_bool(
    "resume", False, "Keep what is finished and go on.", flag_values=values
  )
  command_line.run(study, values, __doc__)


if __name__ == "__main__":
  main()
