"""Scans a foreign model, and decides whether to refuse it, before anything of it runs.

`look` starts a sandbox, in which `look_at` reads the model's files as data. The scan of
their format (`scan_saved_model` with `scan_graph`, `scan_onnx`, `scan_keras`;
`scan_stablehlo` for programs of JAX) gives a `Verdict` with every reason to refuse the
model, and its functions as `Offer`s. `arrays` and `read_arrays` do the same for arrays.

Nothing is imported here: the child confines itself before it loads large libraries.
"""
