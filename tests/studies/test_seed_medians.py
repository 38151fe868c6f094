import pathlib

from disentangle_tf.studies import FinishedRun
from disentangle_tf.studies.seed_medians import seed_medians


def _finished(run, seed, settings, **scores):
  return FinishedRun(run, settings, seed, pathlib.Path(), scores)


def test_models_that_differ_in_their_seed_are_one_row():
  models = [
    _finished("a", 0, {"UNITS": [8]}, mig=0.1, sap=0.5),
    _finished("a", 0, {"UNITS": [9]}, mig=0.7),
    _finished("a", 1, {"UNITS": [8]}, mig=0.9),
    _finished("a", 2, {"UNITS": [8]}, mig=0.2),
    _finished("b", 0, {"UNITS": [8]}, mig=0.4),
  ]
  assert seed_medians(models) == [
    (models[0], 3, {"mig": 0.2, "sap": 0.5}),
    (models[1], 1, {"mig": 0.7}),
    (models[4], 1, {"mig": 0.4}),
  ]
