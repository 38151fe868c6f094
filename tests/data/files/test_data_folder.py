import pathlib

from disentangle_tf.data.files.data_folder import data_folder


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
