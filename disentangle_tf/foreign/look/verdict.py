"""The verdict on a stranger's model: allowed, or refused for the reasons found.

The scans of this room (`scan_saved_model`, `scan_onnx`, `scan_keras`) find the reasons;
`Verdict.check_allowed` is what refuses the model, before anything of it runs.
"""

import dataclasses

from disentangle_tf.errors import ModelError

_MOST_FINDINGS = 20


@dataclasses.dataclass(frozen=True)
class Finding:
  """One reason not to load a model.

  Attributes:
    what: is wrong.
    where: in the model.
    ask: what to ask its maker for instead, if there is something.
  """

  what: str
  where: str
  ask: str = ""

  def __str__(self):
    return f"{self.what}, in {self.where}" + (f": {self.ask}" if self.ask else "")


@dataclasses.dataclass(frozen=True)
class Verdict:
  """The outcome of a scan.

  Attributes:
    kind: what the model is, such as "TF 2 SavedModel".
    findings: reasons to refuse it; none if it may be loaded.
    looked_at: {what: how many}, so that an empty scan is not taken for a clean one.
  """

  kind: str
  findings: tuple = ()
  looked_at: dict = dataclasses.field(default_factory=dict)

  @property
  def allowed(self):
    """Whether nothing speaks against loading it."""
    return not self.findings

  def check_allowed(self):
    """Raises a `ModelError` that says why the model is refused, if it is."""
    if self.allowed:
      return
    first, *others = self.findings
    more = f" (and {len(others)} more)" if others else ""
    raise ModelError(
      f"refused: {first}{more}; --scan_only shows all, --trusted loads what you made "
      "yourself"
    )

  def with_findings(self, findings):
    """The verdict with further reasons to refuse the model."""
    return dataclasses.replace(self, findings=(*self.findings, *findings))

  def to_json(self):
    """The verdict as plain lists and dicts."""
    return {
      "kind": self.kind,
      "allowed": self.allowed,
      "findings": [dataclasses.asdict(finding) for finding in self.findings],
      "looked_at": self.looked_at,
    }

  def to_text(self):
    """The verdict as lines for people."""
    counts = ", ".join(f"{count} {what}" for what, count in self.looked_at.items())
    lines = [f"{'allowed' if self.allowed else 'REFUSED'}: {self.kind} ({counts})"]
    lines += [f"  - {finding}" for finding in self.findings]
    return "\n".join(lines)


def summarised(findings):
  """Each finding once, and only so many as people read."""
  findings = tuple(dict.fromkeys(findings))
  if len(findings) <= _MOST_FINDINGS:
    return findings
  more = Finding(f"{len(findings) - _MOST_FINDINGS} more", "this model")
  return (*findings[:_MOST_FINDINGS], more)
