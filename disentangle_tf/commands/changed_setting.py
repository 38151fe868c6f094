"""Which setting of a gin configuration changed since a run began."""

_MAY_CHANGE = (  # more steps are welcome
  "STEPS =",
  "training.train.steps =",
  "adversary.manipulate.steps =",
)


def changed_setting(before, now):
  """The first setting that two configurations do not share; None if they agree.

  Args:
    before, now: as `gin.operative_config_str` writes them. Comments, where lines are
      broken and the number of steps do not count.

  Returns:
    The setting with its value, NAME = VALUE.
  """
  return min(_settings(before) ^ _settings(now), default=None)


def _settings(text):
  """The lines that matter, gin's continuation lines joined."""
  joined = text.replace("\\\n", " ")
  lines = {" ".join(line.split()) for line in joined.splitlines()}
  return {line for line in lines if not line.startswith(("#", *_MAY_CHANGE))}
