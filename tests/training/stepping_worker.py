"""A worker of `test_workers.py`: it takes collectives in `loop`, at its own speed."""

import sys
import time

import numpy as np
import tensorflow as tf

from disentangle_tf.training import Saving, Watching
from disentangle_tf.training.interruption import Interruption
from disentangle_tf.training.loop import loop
from disentangle_tf.training.scorer import NothingScored
from disentangle_tf.training.workers import Workers

LAST_STEP = 2000


class Printer:
  """A monitor, and checkpoints, of which lines remain."""

  latest_step = None

  def scalars(self, *_):
    print("logged", flush=True)

  def pictures(self, step):
    pass

  def save(self, step):
    print(f"saved {step}", flush=True)


def main():
  strategy = tf.distribute.MultiWorkerMirroredStrategy()
  workers, printer, counts = Workers(strategy), Printer(), []

  def run(first_step, count):
    counts.append(count)
    if not workers.is_chief:
      time.sleep(0.02)  # so that its own clock would allow fewer steps
    for _ in range(count):
      strategy.reduce(tf.distribute.ReduceOp.SUM, tf.constant(1.0), axis=None)
    return {"loss": np.zeros(count)}

  interruption = Interruption()
  try:
    with interruption.watch(), workers.losses_reported():
      loop(
        run,
        printer,
        printer,
        NothingScored(),
        interruption,
        first_step=0,
        last_step=LAST_STEP,
        batch_size=1,
        watching=Watching(log_every=200),
        saving=Saving(checkpoint_every=LAST_STEP),
        agree=workers.agree,
      )
  except KeyboardInterrupt:
    sys.exit(130)
  finally:
    print(f"counts {counts}", flush=True)


if __name__ == "__main__":
  main()
