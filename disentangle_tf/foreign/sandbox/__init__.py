"""The sandbox: a confined process that reads foreign files and runs foreign models.

Outside, `child_process` starts the child, `confined_model` sends it requests, and
`watch` ends it if it uses too much. Inside, `child` confines itself (`sandbox`, by
`landlock`, `seccomp` and limits), and then scans a model, reads arrays, or runs a model
(`running`). `warm_children` and `warm_parent` start many children fast.

Nothing is imported here: the child confines itself before it loads large libraries.
"""
