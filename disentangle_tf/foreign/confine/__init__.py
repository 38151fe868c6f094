"""The confined process in which strangers' files are read and their models run.

On the evaluator's side `child_process` starts it and `confined_model` asks it; `watch`
ends it if it takes too much. On the other side `child` confines itself (`sandbox`, by
`landlock`, `seccomp` and limits), and then looks at a model, reads arrays, or runs a
model (`running`). `warm_children` and `warm_parent` start many of them fast.

Nothing is imported here: the child confines itself before it loads anything large.
"""
