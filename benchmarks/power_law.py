"""The exponent with which a cost grows."""

import numpy as np


def fit(seconds):
  """{"exponent", "at_end"} of {size: seconds}, two sizes or more.

  "exponent" is the slope of the least-squares line through the logarithms, "at_end" the
  slope between the two largest sizes: constant costs flatten the small ones.
  """
  sizes, values = np.log(sorted(seconds.items())).T
  slope = np.polyfit(sizes, values, 1)[0]
  at_end = (values[-1] - values[-2]) / (sizes[-1] - sizes[-2])
  return {"exponent": round(float(slope), 2), "at_end": round(float(at_end), 2)}
