"""Memory of `bin/evaluate.py` over lists of models of growing length.

Each list is one command with the protocol `fast`; its models differ in their weights.
The memory is the most that the command and its children have at a time.
"""

import pathlib
import tempfile

from command_costs import cost_of_python
from exports import small_export
from interleaved import rows


def measure(quick):
  lengths = (1, 3) if quick else (1, 2, 4, 8)
  times, peaks = {}, {}
  with tempfile.TemporaryDirectory() as place:
    folder = pathlib.Path(place)
    for number in range(max(lengths)):
      small_export(folder / f"export_{number}", seed=number)
    for length in lengths:
      models = [f"--model={folder / f'export_{number}'}" for number in range(length)]
      output = folder / f"scores_{length}"
      cost = cost_of_python(
        "bin/evaluate.py", *models, "--protocol=fast", f"--output_dir={output}"
      )
      name = f"{length} models" if length > 1 else "1 model"
      times[name], peaks[name] = [cost.times()], cost.peak_mb
  found = rows(times, unit="command")
  for row in found:
    row["peak_mb"] = peaks[row["name"]]
  return {"rows": found}
