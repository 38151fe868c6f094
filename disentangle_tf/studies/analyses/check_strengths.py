"""Strengths as an axis: each must stand for one setting of its method."""

from disentangle_tf.errors import UserError


def check_strengths(models):
  """Raises a `UserError` if a strength of a method stands for several settings.

  A strength is the place of a setting in the sweep of one plan. In a table of several
  plans one place may hold several settings, which must not be pooled.

  Args:
    models: `ModelScores`.
  """
  columns = (models.method, models.strength, models.setting)
  settings, strengths = {}, {}
  for method, strength, setting in zip(*(c.tolist() for c in columns), strict=True):
    known = settings.setdefault((method, strength), setting)
    place = strengths.setdefault((method, setting), strength)
    if known != setting or place != strength:
      raise UserError(
        f"strengths of {method} do not compare: {known!r} has strength "
        f"{strengths[method, known]}, {setting!r} has {strength}; the table is of "
        "several plans, collect their runs as one study, or draw against the name of a "
        "swept setting"
      )
