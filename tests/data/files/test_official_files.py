import pathlib

from disentangle_tf.data.files.official_files import (
  OFFICIAL_FILES,
  data_folder,
  files_of,
)


def test_the_variable_names_the_folder(monkeypatch):
  monkeypatch.setenv("DISENTANGLE_TF_DATA", "/some/where")
  assert data_folder() == pathlib.Path("/some/where")


def test_by_default_it_is_in_the_users_cache(monkeypatch):
  monkeypatch.setenv("HOME", "/home/somebody")
  for unset in (
    lambda: monkeypatch.delenv("DISENTANGLE_TF_DATA", raising=False),
    lambda: monkeypatch.setenv("DISENTANGLE_TF_DATA", ""),
  ):
    unset()
    assert data_folder() == pathlib.Path("/home/somebody/.cache/disentangle_tf")


def test_a_home_folder_may_be_meant(monkeypatch):
  monkeypatch.setenv("HOME", "/home/somebody")
  monkeypatch.setenv("DISENTANGLE_TF_DATA", "~/images")
  assert data_folder() == pathlib.Path("/home/somebody/images")


def test_the_table_agrees_with_tensorflow_datasets(golden_folder):
  for data_set in ("shapes3d", "smallnorb"):
    table = golden_folder / "tensorflow_datasets" / data_set / "checksums.tsv"
    rows = [line.split("\t") for line in table.read_text().splitlines()]
    published = {(url, int(size), sha256, name) for url, size, sha256, name in rows}
    ours = {(f.urls[0], f.size, f.sha256, f.name) for f in files_of(data_set)}
    assert ours == published


def test_no_file_is_listed_twice():
  assert len({(file.data_set, file.name) for file in OFFICIAL_FILES}) == 11
  assert len(OFFICIAL_FILES) == 11


def test_the_files_of_a_set_come_in_order():
  parts = [file.name.split("-")[2] for file in files_of("smallnorb")]
  assert parts == ["training", "training", "training", "testing", "testing", "testing"]
  kinds = [file.name.split("-")[3] for file in files_of("smallnorb")]
  assert kinds == ["dat.mat.gz", "cat.mat.gz", "info.mat.gz"] * 2
  assert files_of("dsprites") == ()


def test_what_lies_in_a_gzipped_file_has_its_name_without_the_ending():
  for file in files_of("smallnorb"):
    assert file.name == f"{file.unpacked}.gz"
