"""Official files of data sets: downloading, unpacking, reading, caches, preparing."""
