"""Hands damaged files to every reader: python tests/fuzz/fuzz.py FORMAT COUNT [SEED].

FORMAT is a file of seeds/. Prints a line of JSON for each mutant that costs more than a
`UserError` (another exception, half a minute, 4 GiB, the process) and keeps it in a
temporary folder that the line names; the last line counts. A mutant is a function of
its format, seed and number. Move a fault's file to found/, where a test reads it again.
"""

import collections
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback

HERE = pathlib.Path(__file__).parent
SECONDS = 30  # computing time, so that a busy machine makes no difference
MEMORY_GIB = 4


def fuzz(name, count, seed=0):
  """Read `count` mutants: (records of the faults, {outcome: its number}).

  Another process reads them. If it dies, the next process continues after the mutant
  that killed it.
  """
  folder = pathlib.Path(tempfile.mkdtemp(prefix="fuzz-"))
  found, outcomes, start = [], collections.Counter(), 0
  while start < count:
    process = subprocess.run(
      [sys.executable, __file__, "worker", name, str(seed), str(start), str(count)],
      cwd=folder,
      env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
      stdout=subprocess.PIPE,
      text=True,
    )
    for line in process.stdout.splitlines():
      record = json.loads(line)
      outcomes[record["outcome"]] += 1
      start = record["number"] + 1
      if record["outcome"] == "fault":
        found.append(record)
    if process.returncode:
      found.append(_died(folder, name, start, process.returncode))
      outcomes["death"] += 1
      start += 1
  if not found:
    shutil.rmtree(folder)
  return found, outcomes


def _died(folder, name, number, code):
  kept = folder / f"died-{number}-{name}"
  if (folder / f"current-{name}").exists():
    shutil.copy(folder / f"current-{name}", kept)
  return {"number": number, "outcome": "death", "code": code, "file": str(kept)}


def _work(name, seed, start, count):
  """Read the mutants from `start` on, and print the outcome of each in a line."""
  import numpy as np

  resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_GIB * 2**30,) * 2)
  signal.signal(signal.SIGPROF, _too_long)
  from disentangle_tf.foreign.scan.scan_in_child import forgo_tensorflow

  if name.startswith("manifest"):
    import disentangle_tf.evaluation  # noqa: F401  (not counted for a mutant)
  else:
    forgo_tensorflow()
  from readers import READERS

  from disentangle_tf.errors import UserError

  original = (HERE / "seeds" / name).read_bytes()
  path = pathlib.Path(f"current-{name}")
  for number in range(start, count):
    rng = np.random.default_rng([seed, number])
    path.write_bytes(mutant(name, original, rng))
    record = {"number": number, "outcome": "read"}
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
      READERS[name](path.resolve())
    except UserError as error:
      record["outcome"] = "error"
      if not str(error).isprintable() or len(str(error)) > 2_000:
        record |= _fault(name, number, path, f"a message: {str(error)[:300]!r}")
    except (Exception, SystemExit):
      record |= _fault(name, number, path, traceback.format_exc()[-1_500:])
    finally:
      signal.setitimer(signal.ITIMER_PROF, 0)
    print(json.dumps(record), flush=True)


def _fault(name, number, path, words):
  kept = path.resolve().with_name(f"fault-{number}-{name}")
  shutil.copy(path, kept)
  return {"outcome": "fault", "words": words, "file": str(kept)}


def mutant(name, original, rng):
  """The bytes of a damaged file: half of them raw, half of them well-formed."""
  import mutations

  if rng.random() < 0.5:
    return mutations.mutate_bytes(original, rng)
  if name == "saved_model.pb":
    from tensorflow.core.protobuf import saved_model_pb2

    message = saved_model_pb2.SavedModel.FromString(original)
    return mutations.mutate_message(message, rng).SerializeToString()
  if name == "model.onnx":
    import onnx

    message = onnx.ModelProto.FromString(original)
    return mutations.mutate_message(message, rng).SerializeToString()
  if name == "model.keras":
    change = mutations.json_change(rng)
    return mutations.mutate_member(original, "config.json", change)
  if name.startswith("manifest"):
    return mutations.json_change(rng)(original)
  if name == "arrays.npz":
    member = f"{rng.choice(['codes', 'factors', 'names', 'log_variances'])}.npy"
    return mutations.mutate_member(
      original, member, lambda data: mutations.mutate_bytes(data, rng)
    )
  head = mutations.mutate_bytes(original[:128], rng)
  return head + original[128:]


def _too_long(number, frame):
  raise TimeoutError(f"more than {SECONDS} s")


if __name__ == "__main__":
  if sys.argv[1] == "worker":
    _work(sys.argv[2], *map(int, sys.argv[3:]))
  else:
    found, outcomes = fuzz(sys.argv[1], *map(int, sys.argv[2:]))
    for record in found:
      print(json.dumps(record))
    print(json.dumps({"format": sys.argv[1], **outcomes}))
