import types

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies.study_versions import StudyVersions, difference

NOW = {"disentangle_tf": "2", "python": "3.11.7", "numpy": "2.4"}
PYTHON = {**NOW, "python": "3.12.0"}
PACKAGES = ("disentangle_tf", "tensorflow", "keras", "numpy")


def _run(name, versions):
  return types.SimpleNamespace(plan=types.SimpleNamespace(run=name), versions=versions)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_study_goes_on_with_the_versions_it_was_begun_with(tmp_path, package):
  assert StudyVersions(tmp_path).begin(NOW, done=[]) is None
  assert StudyVersions(tmp_path).begin(PYTHON, done=[NOW]) is None
  other = {**NOW, package: "1"}
  for refused in (
    lambda study: study.begin(other, done=[]),
    lambda study: study.check(other),
  ):
    with pytest.raises(UserError, match=rf"begun with {package} .*\(now 1\): .*--mix"):
      refused(StudyVersions(tmp_path))
  # Nothing is left to do, so nothing is mixed, but a line says so.
  told = StudyVersions(tmp_path).begin(other, done=[NOW], goes_on=False)
  assert f"{package} " in told
  with pytest.raises(UserError):
    StudyVersions(tmp_path).check(other)
  StudyVersions(tmp_path).mix()
  assert f"{package} " in StudyVersions(tmp_path).begin(other, done=[NOW])
  StudyVersions(tmp_path).check(other)
  assert len(StudyVersions(tmp_path).known) == 2 and StudyVersions(tmp_path).is_mixed


def test_of_an_earlier_study_the_scores_tell(tmp_path):
  with pytest.raises(UserError, match=r"numpy 2.3 \(now 2.4\)"):
    StudyVersions(tmp_path).begin(NOW, done=[{**NOW, "numpy": "2.3"}])
  assert StudyVersions(tmp_path).begin(NOW, done=[]) is None


def test_a_study_of_which_nothing_was_begun_takes_any_version(tmp_path):
  StudyVersions(tmp_path).begin(NOW, done=[])
  other = {**NOW, "numpy": "9"}
  assert StudyVersions(tmp_path).begin(other, done=[], begun=False) is None
  StudyVersions(tmp_path).check(other)


def test_tables_mix_no_versions_unasked(tmp_path):
  runs = [_run("a", NOW), _run("b", PYTHON), _run("old", {})]
  study = StudyVersions(tmp_path)
  study.check_runs(runs)
  runs.append(_run("c", {**NOW, "keras": "3"}))
  with pytest.raises(UserError, match=r"a and c were .* keras unknown \(now 3\)"):
    study.check_runs(runs)
  study.mix()
  StudyVersions(tmp_path).check_runs(runs)


def test_the_difference_in_words():
  assert difference({"a": "1", "b": "2"}, {"a": "1", "b": "3"}) == "b 2 (now 3)"
