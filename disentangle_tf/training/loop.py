"""The training loop: a few steps per call, then whatever is due."""

import dataclasses
import time

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.progress import progress_bar

_SECONDS_PER_CALL = 1.0  # so that the bar moves and Ctrl-C is heard


def loop(
  run,
  monitor,
  checkpoints,
  scorer,
  interruption,
  *,
  first_step,
  last_step,
  batch_size,
  watching,
  saving,
  agree=lambda stop, count: (stop, count),
):
  """Takes all steps, logs, draws and saves on the way, and stops if it is asked to.

  Args:
    run: takes steps: (first step, how many) -> {term: [how many] array}, the loss among
      them, as `StepRunner.run` does.
    monitor: a `Monitor`, or what has its `scalars` and `pictures`.
    checkpoints: a `Checkpoints`, or what has its `save` and `latest_step`.
    scorer: a `Scorer`, or what has its `periods` and `score`.
    interruption: an `Interruption`, being watched; what it hears ends the loop after a
      checkpoint, with KeyboardInterrupt.
    first_step, last_step: where to begin, and how many steps there are in all.
    batch_size: observations per step, for the speed.
    watching, saving: the `Watching` and `Saving` that say what is due when.
    agree: as `Workers.agree`; called before every call of `run`, so that all workers
      stop after the same step and take as many steps per call. By default there is
      one worker.
  """
  events = _Events(
    watching.log_every,
    watching.pictures_every,
    saving.checkpoint_every,
    scorer.periods,
    last_step,
  )
  step, steps_per_call, window = first_step, 1, _Window(batch_size)
  bar = progress_bar(last_step, initial=step, unit="step", dynamic_ncols=True, delay=0)
  with interruption.noted(), bar:
    while step < last_step:
      stop, count = agree(
        interruption.requested, min(steps_per_call, events.distance(step))
      )
      if stop:
        interruption.request()
        checkpoints.save(step)
        print(f"stopped after step {step}; --resume goes on from there")
        raise KeyboardInterrupt
      started = time.perf_counter()
      terms = run(step, count)
      seconds = time.perf_counter() - started
      _check_finite(terms, step, checkpoints)
      step += count
      window.add(terms, seconds)
      steps_per_call = min(2 * steps_per_call, _affordable(count, seconds))
      bar.set_postfix(window.summary(), refresh=False)
      bar.update(count)
      if events.due("log", step):
        monitor.scalars(step, window.means(), window.images_per_second())
        window = _Window(batch_size)
      if events.due("pictures", step):
        monitor.pictures(step)
      scorer.score(step)
      if events.due("checkpoint", step):  # last: what came before is not done again
        checkpoints.save(step)


@dataclasses.dataclass(frozen=True)
class _Events:
  """When the loop looks up: every so many steps, and at the end."""

  log: int
  pictures: int
  checkpoint: int
  others: list
  end: int

  def due(self, name, step):
    return step % getattr(self, name) == 0 or step == self.end

  def distance(self, step):
    """Steps from `step` to the next event."""
    periods = (self.log, self.pictures, self.checkpoint, *self.others)
    return min(self.end - step, *(period - step % period for period in periods))


class _Window:
  """Loss terms and time since the last entry in the log."""

  def __init__(self, batch_size):
    self._batch_size = batch_size
    self._terms = []
    self._seconds = 0.0

  def add(self, terms, seconds):
    self._terms.append(terms)
    self._seconds += seconds

  def means(self):
    names = self._terms[0]
    return {
      name: float(np.mean(np.concatenate([terms[name] for terms in self._terms])))
      for name in names
    }

  def images_per_second(self):
    steps = sum(len(terms["loss"]) for terms in self._terms)
    return steps * self._batch_size / self._seconds

  def summary(self):
    """For the progress bar."""
    means = {name: f"{value:.4g}" for name, value in self.means().items()}
    return {"images/s": f"{self.images_per_second():,.0f}", **means}


def _affordable(count, seconds):
  """Steps that fit into a call of the usual length, at the speed just seen."""
  return max(1, int(count * _SECONDS_PER_CALL / seconds))


def _check_finite(terms, step, checkpoints):
  for name, values in terms.items():
    bad = np.flatnonzero(~np.isfinite(values))
    if name != "loss" and len(bad):
      kept = checkpoints.latest_step
      raise UserError(
        f"the loss term {name!r} is {values[bad[0]]} at step {step + bad[0] + 1}; "
        + (f"the checkpoint of step {kept} is good" if kept else "no checkpoint yet")
        + ": try a lower learning rate or weight"
      )
