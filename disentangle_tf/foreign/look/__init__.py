"""Decides whether a stranger's model is refused, before anything of it runs.

`look` starts a confined process, in which `look_at` reads the model's files as data: a
scan of their format (`scan_saved_model`, `scan_onnx`, `scan_keras`; `scan_stablehlo`
for programs of JAX) gives a `Verdict` with every reason to refuse the model, and
`Offer`s, what it can be asked for. `arrays` and `read_arrays` are the same two sides
for arrays of codes.

Nothing is imported here: the child confines itself before it loads anything large.
"""
