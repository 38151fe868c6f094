"""Codes of scikit-learn as skl2onnx 1.20.0 writes them; needs scikit-learn 1.9.1.

`sklearn_pca.onnx` standardises (ai.onnx.ml's Scaler) and projects,
`sklearn_forest.onnx` asks trees. sklearn.npz: images and their codes.
"""

import numpy as np
from skl2onnx import to_onnx
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


def main():
  rng = np.random.default_rng(0)
  images = rng.random((5, 8, 8, 1), np.float32)
  pixels = rng.random((100, 64), np.float32)
  flat, codes = images.reshape(5, -1), {"images": images}
  pca = make_pipeline(StandardScaler(), PCA(3)).fit(pixels)
  forest = RandomForestRegressor(3, max_depth=3, random_state=0)
  forest.fit(pixels, pixels[:, :2])
  for name, model, compute in (
    ("sklearn_pca.onnx", pca, pca.transform),
    ("sklearn_forest.onnx", forest, forest.predict),
  ):
    with open(name, "wb") as file:
      file.write(to_onnx(model, pixels[:1]).SerializeToString())
    codes[name] = compute(flat).astype(np.float32)
  np.savez("sklearn.npz", **codes)


if __name__ == "__main__":
  main()
