"""Offers, findings and the verdict on a model."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from disentangle_tf.errors import ModelError
from disentangle_tf.text import printable

if TYPE_CHECKING:
  from collections.abc import Iterable
  from typing import Any


_LONGEST_NAME = 1_000
_LARGEST_SIZE = 2**40


@dataclasses.dataclass(frozen=True)
class Tensor:
  """A named input or output of a function.

  Attributes:
    name: its name in the model.
    dtype: its type, such as "float32".
    shape: its sizes, with None for an unknown one; None if the shape is unknown.

  Example:
    >>> from disentangle_tf import foreign
    >>> str(foreign.Tensor("images", "float32", (None, 64, 64, 1)))
    'images float32 [?, 64, 64, 1]'
  """

  name: str
  dtype: str
  shape: tuple[int | None, ...] | None

  def __post_init__(self) -> None:
    _check_name(self.name)
    sizes = [size for size in self.shape or () if size is not None]
    if not all(0 <= size <= _LARGEST_SIZE for size in sizes):
      raise ModelError(f"refused: {printable(self.name)} has an impossible shape")

  def __str__(self) -> str:
    sizes = (
      "?"
      if self.shape is None
      else ", ".join("?" if size is None else str(size) for size in self.shape)
    )
    return f"{printable(self.name)} {printable(self.dtype)} [{sizes}]"


@dataclasses.dataclass(frozen=True)
class Offer:
  """A function that a model offers: a signature, or the whole of an ONNX or Keras file.

  Attributes:
    name: its name in the model.
    inputs, outputs: tuples of `Tensor`s.

  Example:
    >>> from disentangle_tf import foreign
    >>> images = foreign.Tensor("images", "float32", (None, 64, 64, 1))
    >>> codes = foreign.Tensor("mean", "float32", (None, 10))
    >>> str(foreign.Offer("encode", (images,), (codes,)))
    'encode: images float32 [?, 64, 64, 1] -> mean float32 [?, 10]'
  """

  name: str
  inputs: tuple[Tensor, ...]
  outputs: tuple[Tensor, ...]

  def __post_init__(self) -> None:
    _check_name(self.name)

  def __str__(self) -> str:
    inputs, outputs = (
      ", ".join(map(str, tensors)) for tensors in (self.inputs, self.outputs)
    )
    return f"{printable(self.name)}: {inputs} -> {outputs}"


def _check_name(name: str) -> None:
  if len(name) > _LONGEST_NAME:
    raise ModelError(f"refused: a name in it has {len(name):,} characters")


_MOST_FINDINGS = 20


@dataclasses.dataclass(frozen=True)
class Finding:
  """One reason not to load a model.

  Attributes:
    what: what is wrong.
    where: the place in the model.
    ask: what to ask the author of the model for instead, or "".

  Example:
    >>> from disentangle_tf import foreign
    >>> str(foreign.Finding("PyFunc runs Python", "the graph"))
    'PyFunc runs Python, in the graph'
  """

  what: str
  where: str
  ask: str = ""

  def __str__(self) -> str:
    return f"{self.what}, in {self.where}" + (f": {self.ask}" if self.ask else "")


@dataclasses.dataclass(frozen=True)
class Verdict:
  """The outcome of a scan.

  Attributes:
    kind: the kind of model, such as "TF 2 SavedModel".
    findings: tuple of `Finding`s, the reasons to refuse it; empty if it may be loaded.
    looked_at: {part: the number of them that were scanned}, which shows that the scan
      was not empty.

  Example:
    >>> from disentangle_tf import foreign
    >>> finding = foreign.Finding("PyFunc runs Python", "the graph")
    >>> verdict = foreign.Verdict("TF 2 SavedModel", (finding,), {"operations": 3})
    >>> verdict.allowed
    False
    >>> print(verdict.to_text())
    REFUSED: TF 2 SavedModel (3 operations)
      - PyFunc runs Python, in the graph
  """

  kind: str
  findings: tuple[Finding, ...] = ()
  looked_at: dict[str, int] = dataclasses.field(default_factory=dict)

  @property
  def allowed(self) -> bool:
    """Whether the model may be loaded: there is no finding."""
    return not self.findings

  def check_allowed(self) -> None:
    """Raise a `ModelError` with the first reason if the model is refused."""
    if self.allowed:
      return
    first, *others = self.findings
    more = f" (and {len(others)} more)" if others else ""
    raise ModelError(
      f"refused: {first}{more}; --scan_only shows all, --trusted loads what you made "
      "yourself"
    )

  def with_findings(self, findings: Iterable[Finding]) -> Verdict:
    """Return the verdict with further `Finding`s."""
    return dataclasses.replace(self, findings=(*self.findings, *findings))

  def to_json(self) -> dict[str, Any]:
    """Return the verdict as plain lists and dicts."""
    return {
      "kind": self.kind,
      "allowed": self.allowed,
      "findings": [dataclasses.asdict(finding) for finding in self.findings],
      "looked_at": self.looked_at,
    }

  def to_text(self) -> str:
    """Return the verdict as lines of text."""
    counts = ", ".join(f"{count} {what}" for what, count in self.looked_at.items())
    lines = [f"{'allowed' if self.allowed else 'REFUSED'}: {self.kind} ({counts})"]
    lines += [f"  - {finding}" for finding in self.findings]
    return "\n".join(lines)


def summarised(findings: Iterable[Finding]) -> tuple[Finding, ...]:
  """Each finding once; beyond 20, only the number of the others."""
  findings = tuple(dict.fromkeys(findings))
  if len(findings) <= _MOST_FINDINGS:
    return findings
  more = Finding(f"{len(findings) - _MOST_FINDINGS} more", "this model")
  return (*findings[:_MOST_FINDINGS], more)
