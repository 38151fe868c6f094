"""Run the benchmarks, into one JSON file and docs/performance.md.

  python benchmarks/run.py [--quick] [--only NAME ...] [--output FILE.json]

Each benchmark runs in a separate process, so that memory and threads of one do not
change another. It is a module with a function `measure(quick)` that returns {"rows",
"facts"}; `interleaved.rows` says what a row is. --only keeps the file's other results.
The page is written beside the JSON file, or to docs/performance.md by default.

--quick takes about 5 minutes instead of 25, with fewer rounds and smaller sizes. It
shows that everything runs; its numbers are rough.
"""

import argparse
import datetime
import importlib
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import page

HERE = pathlib.Path(__file__).parent
RESULTS = HERE.parent / "docs" / "results" / "performance.json"
PAGE = HERE.parent / "docs" / "performance.md"
BENCHMARKS = (
  "machine",
  "training_step",
  "profile_step",
  "blur",
  "data_sets",
  "encoding",
  "metrics",
  "dci",
  "importance",
  "start_up",
  "evaluation_memory",
  "study_engine",
  "study_runs",
  "growth",
  "study_cost",
)


def main():
  options = read_options()
  if options.inside:
    module = importlib.import_module(options.inside)
    options.output.write_text(json.dumps(module.measure(options.quick)))
    return
  check_peers()
  results = json.loads(options.output.read_text()) if options.output.exists() else {}
  failed = []
  for name in options.only or BENCHMARKS:
    print(f"{name} ...", end=" ", flush=True)
    started = time.perf_counter()
    found = measure_in_new_process(name, options.quick)
    if found is None:
      failed.append(name)
      continue
    seconds = round(time.perf_counter() - started)
    print(f"{seconds} s")
    now = datetime.datetime.now(datetime.UTC).date().isoformat()
    about = {"date": now, "quick": options.quick, "seconds": seconds}
    results[name] = about | {"load": round(os.getloadavg()[0], 1)} | found
    options.output.write_text(json.dumps(results, indent=1) + "\n")
  path = PAGE if options.output == RESULTS else options.output.with_suffix(".md")
  page.write(results, path)
  print(f"wrote {options.output} and {path}")
  if failed:
    sys.exit(f"failed: {', '.join(failed)}")


def read_options():
  parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
  )
  parser.add_argument("--only", nargs="+", choices=BENCHMARKS, metavar="NAME")
  parser.add_argument("--quick", action="store_true")
  parser.add_argument("--output", type=pathlib.Path, default=RESULTS)
  parser.add_argument("--inside", choices=BENCHMARKS, help=argparse.SUPPRESS)
  return parser.parse_args()


def check_peers():
  """End with one line if a peer is missing."""
  missing = [each for each in ("torch", "lightgbm", "onnx") if not _is_installed(each)]
  if missing:
    sys.exit(
      f"error: the benchmarks compare with packages that are missing "
      f'({", ".join(missing)}): pip install -e ".[benchmarks]" -c constraints.txt'
    )


def measure_in_new_process(name, quick):
  """What the benchmark's `measure` returned, or None if it failed."""
  with tempfile.TemporaryDirectory() as folder:
    output = pathlib.Path(folder) / "found.json"
    command = [sys.executable, __file__, f"--inside={name}", f"--output={output}"]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(
      command + ["--quick"] * quick,
      stdout=subprocess.PIPE,
      stderr=subprocess.STDOUT,
      env=environment,
      text=True,
      check=False,
    )
    if done.returncode:
      print(f"failed:\n{done.stdout[-3000:]}")
      return None
    return json.loads(output.read_text())


def _is_installed(package):
  return importlib.util.find_spec(package) is not None


if __name__ == "__main__":
  main()
