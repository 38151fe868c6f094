"""Which of the papers' scores a table has."""

from disentangle_tf.errors import UserError


def present_scores(table, scores, owner):
  """Those of the scores that the table has, in this order; at least one.

  Args:
    table: results table.
    scores: names.
    owner: name of the function, for the error.
  """
  known = set(table["score"])
  present = tuple(score for score in scores if score in known)
  if not present:
    shown = ", ".join(sorted(known)) or "none"
    raise UserError(f"{owner} needs one of {', '.join(scores)}; the table has {shown}")
  return present
