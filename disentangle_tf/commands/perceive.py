r"""Shows what a reconstruction loss sees of a data set, before anything is trained.

  python bin/perceive.py --gin_file gin/data/dsprites.gin --output_dir runs/seen
  python bin/perceive.py --gin_file gin/data/xysquares.gin \
      --gin_file gin/losses/overlap.gin --output_dir runs/seen_blurred
  python bin/perceive.py --gin_file gin/data/xysquares_small.gin --rank_losses \
      --output_dir runs/ranked
  python bin/perceive.py --model runs/mine/export --output_dir runs/seen_by_mine

writes importance.json, agreement.json, a table and figures. Where distances between
images do not grow with those of the factors, a VAE with this loss will not disentangle.
--model adds what a trained model makes of the distances; --rank_losses tries a list of
losses. The loss is the one that a gin file sets as LOSS, as those of gin/losses do;
otherwise the one that the model was trained with, if it is an export, which tells it;
otherwise MSE. The data set is the one that --data, a file that sets DATA, or the model
names. Models are confined as by bin/evaluate.py.
"""

import contextlib

from absl import flags

from disentangle_tf.commands import command_line, foreign_flags
from disentangle_tf.commands.command_line import start_tensorflow
from disentangle_tf.commands.gin_configuration import find_data, read_for
from disentangle_tf.errors import UserError
from disentangle_tf.output_files import check_output_dir

_EXAMPLE = "gin/data/xysquares.gin"


def perceive(values):
  """Reads the configuration and looks."""
  output_dir = command_line.required(values, "output_dir")
  if not (values.gin_file or values.data or values.model):
    raise UserError("--gin_file is missing: try --gin_file gin/data/xysquares.gin")
  check_output_dir(output_dir, overwrite=values.overwrite)
  options = foreign_flags.options(values, of_model=bool(values.model))
  if values.data:
    find_data(values.data)
  start_tensorflow()
  from disentangle_tf import papers, perceived, pictures

  bindings = read_for(
    "perceived.perceive",
    files=values.gin_file,
    bindings=values.gin_bindings,
    data=values.data,
    macros={"data": "DATA", "loss": "LOSS"},
  )
  given = {"rank_losses": True} if values.rank_losses else {}
  unread = () if values.model else ("symmetric",)  # which is about a model's posteriors
  arguments = bindings.arguments_for(
    perceived.perceive,
    _EXAMPLE,
    given=("model", *given, *unread),
    optional=("data",) if values.model else (),
  )
  bindings.check_read()
  data, has_loss = arguments.pop("data", None), arguments.get("loss") is not None
  with _opened(values.model, data, options, has_loss=has_loss) as subject:
    found = perceived.perceive(**(arguments | subject), **given)
  published = papers.michlo_table_a1(found.data, found.loss)
  pictures.write_perceived(
    found, output_dir, overwrite=values.overwrite, published=published
  )
  _print(found, output_dir)


@contextlib.contextmanager
def _opened(path, data, options, *, has_loss):
  """The data set, the model that may name it, and its loss if no other is set."""
  if not path:
    yield {"data": data}
    return
  from disentangle_tf.evaluation.opening import open_model
  from disentangle_tf.export import loss_of_distances

  with open_model(path, data=data, **options) as (model, data, manifest):
    if data is None:
      raise UserError(f"{path} names no data: add --data NAME")
    subject = {"model": model, "data": data}
    if not has_loss:
      subject["loss"] = loss_of_distances(manifest, path=path)
    yield subject


def _print(found, output_dir):
  tables = {"importance": True, "ranking": found.ranking, "levels": found.levels}
  for name, there in tables.items():
    if there:
      with open(f"{output_dir}/{name}.md", encoding="utf-8") as file:
        print(file.read())
  if found.agreement["adversarial"]:
    print("adversarial: along every factor this loss sees one and the same distance\n")
  print(f"written to {output_dir}")


def main():
  """Entry point of bin/perceive.py and dtf_perceive."""
  values = command_line.gin_flags()
  flags.DEFINE_bool(
    "rank_losses", False, "Also try a list of losses.", flag_values=values
  )
  flags.DEFINE_string(
    "model",
    None,
    "Also look into this model: folder of a SavedModel, or an .onnx or .keras file.",
    flag_values=values,
  )
  flags.DEFINE_string(
    "data",
    None,
    "Data set to look at: NAME of gin/data/NAME.gin, or a gin file that sets DATA.",
    flag_values=values,
  )
  foreign_flags.define(values)
  command_line.run(perceive, values, __doc__)


if __name__ == "__main__":
  main()
