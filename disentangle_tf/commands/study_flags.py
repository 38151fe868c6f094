"""The flags of bin/study.py."""

from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.errors import UserError

_BY_ALL = {"help", "traceback", "output_dir"}
_OF_RUN = {
  *("gin_file", "gin_bindings", "overwrite", "dry_run", "sample", "mix_versions"),
  *("executor", "slots", "workers", "minutes", "memory_gib", "partition", "cores"),
  *("gpus", "ray_address"),
}
# Which flags a word reads; plan takes those of the run that it speaks of.
_READ = {
  "run": _OF_RUN,
  "plan": _OF_RUN,
  "work": {"sample", "most_runs", "seconds", "mix_versions"},
  "collect": {"from_dlib", "mix_versions"},
  "plot": {"figure", "gin_file", "gin_bindings", "mix_versions"},
  "report": {"score"},
}


def check_flags(values, action):
  """Raises a `UserError` for a flag that was given and that the word does not read.

  Args:
    values: the flags, as `study_flags` defines them.
    action: the word, such as "status".
  """
  read = _BY_ALL | _READ.get(action, set())
  for name in values:
    if values[name].present and values[name].name not in read:
      words = [word for word, names in _READ.items() if values[name].name in names]
      raise UserError(
        f"{action} does not read --{values[name].name}, so it would change nothing "
        f"(but {', '.join(words)} {'do' if len(words) > 1 else 'does'}): leave it out"
      )


def study_flags(executors):
  """New flags, with those of bin/study.py.

  Args:
    executors: names that --executor may have.
  """
  values = command_line.gin_flags()
  values.set_gnu_getopt()  # flags may follow the words
  flags.DEFINE_bool("dry_run", False, "The same as the word plan.", flag_values=values)
  flags.DEFINE_bool(
    "sample",
    False,
    "run, work: only the first run of each method and data set, then what all take.",
    flag_values=values,
  )
  flags.DEFINE_enum(
    "executor",
    "local",
    list(executors),
    "run: where: on this machine, by Slurm, by Ray, by whoever says work.",
    flag_values=values,
  )
  flags.DEFINE_integer(
    "slots",
    None,
    "run, local: runs at a time; by default one per GPU, or else one per core.",
    flag_values=values,
    lower_bound=1,
  )
  flags.DEFINE_integer(
    "workers", 8, "run, slurm: jobs of the array.", flag_values=values, lower_bound=1
  )
  flags.DEFINE_integer(
    "minutes",
    240,
    "run, slurm: of a job; Slurm warns it up to two and a half before the end.",
    flag_values=values,
    lower_bound=5,
  )
  flags.DEFINE_integer(
    "memory_gib", 8, "run, slurm: of a job.", flag_values=values, lower_bound=1
  )
  flags.DEFINE_string("partition", None, "run, slurm: its name.", flag_values=values)
  flags.DEFINE_integer(
    "cores",
    None,
    "run: threads per run; by default 1, but local slots share the machine's.",
    flag_values=values,
    lower_bound=1,
  )
  flags.DEFINE_float(
    "gpus", 0.0, "run, slurm and ray: per run; Ray takes shares.", flag_values=values
  )
  flags.DEFINE_string(
    "ray_address", None, "run, ray: of a cluster; none starts one.", flag_values=values
  )
  flags.DEFINE_string(
    "from_dlib",
    None,
    "collect: a folder with result files of disentanglement_lib.",
    flag_values=values,
  )
  flags.DEFINE_integer(
    "most_runs", None, "work: how many to take.", flag_values=values, lower_bound=1
  )
  flags.DEFINE_float(
    "seconds", None, "work: take no run that may end later.", flag_values=values
  )
  flags.DEFINE_bool(
    "mix_versions",
    False,
    "Compare scores of several versions of packages, and keep runs that an earlier "
    "version of this one began; the study records it.",
    flag_values=values,
  )
  flags.DEFINE_string(
    "figure",
    None,
    "plot: a paper's figure by name, such as locatello_figure_6 (docs/studies.md).",
    flag_values=values,
  )
  flags.DEFINE_string(
    "score", None, "report: by which models are best or worst.", flag_values=values
  )
  return values
