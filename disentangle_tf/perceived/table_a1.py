"""Table A1 of Michlo, Klein & James 2023, for comparison."""

# {data set: {factor: (mean, standard deviation)}} of 50,000 pairs each, MSE.
PUBLISHED = {
  "cars3d": {
    "random": (0.0519, 0.0188),
    "azimuth": (0.0355, 0.0185),
    "object": (0.0349, 0.0176),
    "elevation": (0.0174, 0.0100),
  },
  "shapes3d": {
    "random": (0.2432, 0.0918),
    "wall_hue": (0.1122, 0.0661),
    "floor_hue": (0.1086, 0.0623),
    "object_hue": (0.0416, 0.0292),
    "shape": (0.0207, 0.0161),
    "scale": (0.0182, 0.0153),
    "orientation": (0.0116, 0.0079),
  },
  "smallnorb": {
    "random": (0.0535, 0.0529),
    "lighting": (0.0531, 0.0563),
    "category": (0.0113, 0.0066),
    "rotation": (0.0090, 0.0071),
    "instance": (0.0068, 0.0048),
    "elevation": (0.0034, 0.0030),
  },
  "dsprites": {
    "random": (0.0754, 0.0289),
    "position_y": (0.0584, 0.0378),
    "position_x": (0.0559, 0.0363),
    "scale": (0.0250, 0.0148),
    "shape": (0.0214, 0.0095),
    "orientation": (0.0172, 0.0106),
  },
  "xysquares": {
    "random": (0.0308, 0.0022),
    **{f"{axis}_{colour}": (0.0104, 0.0) for colour in "RGB" for axis in "xy"},
  },
}
