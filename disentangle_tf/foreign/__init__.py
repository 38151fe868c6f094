"""Models that others made, and arrays of codes: treated as if they were hostile.

The way of a model, which `foreign_model.ForeignModel` takes it:

1. `find_models` and `find_kind` tell what lies at a path; `copy_model` makes a private
   copy, so that what is looked at is what is loaded.
2. `look/`: is it refused? A confined process reads the copy as data and runs nothing
   of it. `scan_saved_model`, `scan_onnx` and `scan_keras` decide what speaks against
   it, by the lists in `allowed_ops` and `allowed_keras`; `verdict` refuses it if
   anything does.
3. `choose/`: how is it called? From what it offers (`look/offer`) and what the user
   says (`Reading`) follows its `Interface`: which functions encode and decode, and how
   images go in.
4. `confine/`: another confined process loads it and runs it; its answers are checked.

Arrays of codes hold no program: `look/arrays` has them read in a confined process, and
that is all. What is wrong with a model is a `ModelError`; all text of its maker's goes
through `strangers_text`.

Nothing is imported here: the child confines itself before it loads anything large.
"""
