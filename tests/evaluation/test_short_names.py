from disentangle_tf.evaluation.short_names import common_name, short_names


def test_names_are_what_tells_paths_apart():
  paths = ["/home/me/runs/a/export", "/home/me/runs/b/c/export"]
  assert list(short_names(paths).values()) == ["a", "b/c"]
  assert short_names(["/runs/a"]) == {"/runs/a": "a"}
  assert short_names(["a.npz", "b/a.npz"]) == {"a.npz": "a.npz", "b/a.npz": "b/a.npz"}
  assert short_names([]) == {}


def test_one_name_for_several():
  assert common_name(["a/seed_0", "a/seed_1"]) == "a/seed_*"
  assert common_name(["run_0_end", "run_11_end"]) == "run_*_end"
  assert common_name(["a/b"]) == "a/b"
  assert common_name(["a", "b/c", "d"]) == "a and 2 more"
