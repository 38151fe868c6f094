import json
import pathlib
import subprocess
import sys

import pytest

from disentangle_tf.foreign.sandbox import confinement

ROOT = pathlib.Path(confinement.__file__).parents[3]
PROGRAM = """
import json, os, sys
from disentangle_tf.foreign.sandbox import confinement
allowed, other = sys.argv[1:]
confinement.allow_reading_only([allowed, "/not/there"])
attempts = {
  "read": lambda: open(allowed + "/file").read(),
  "list": lambda: os.listdir(allowed),
  "write": lambda: open(allowed + "/file", "w"),
  "make": lambda: os.mkdir(allowed + "/new"),
  "remove": lambda: os.remove(allowed + "/file"),
  "read another": lambda: open(other + "/file").read(),
  "list another": lambda: os.listdir(other),
  "write another": lambda: open(other + "/file", "w"),
}
found = {}
for name, attempt in attempts.items():
  try:
    found[name] = attempt()
  except OSError as error:
    found[name] = error.errno
print(json.dumps(found))
"""


@pytest.mark.skipif(
  not sys.platform.startswith("linux") or not confinement.version(),
  reason="this kernel has no Landlock",
)
def test_only_what_is_named_can_be_read_and_nothing_written(tmp_path):
  for name in ("allowed", "other"):
    (tmp_path / name).mkdir()
    (tmp_path / name / "file").write_text(name)
  done = subprocess.run(
    [sys.executable, "-c", PROGRAM, tmp_path / "allowed", tmp_path / "other"],
    stdout=subprocess.PIPE,
    env={"PYTHONPATH": str(ROOT)},
    check=True,
  )
  found = json.loads(done.stdout)
  assert found.pop("read") == "allowed"
  assert found.pop("list") == ["file"]
  assert set(found.values()) == {13}, found  # EACCES
