"""report.html in a browser, of as many runs as the study of Locatello et al. has."""

import json
import shutil

import numpy as np
import pytest

from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.report import write_report

pytestmark = pytest.mark.slow
EVIL = "</script><script>document.title = 'broken'</script>"
METHODS = ("beta-VAE", "FactorVAE", "beta-TCVAE", "DIP-VAE-I", "DIP-VAE-II", EVIL)
SECONDS = 1.0  # that a reader waits for anything; about twenty times what it takes
FLAGS = (
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
  reason = "needs Chromium (Debian: apt install chromium chromium-driver) and selenium"
  webdriver = pytest.importorskip("selenium.webdriver", reason=reason)
  programs = [shutil.which("chromium"), shutil.which("chromedriver")]
  if None in programs:
    pytest.skip(reason)
  options = webdriver.ChromeOptions()
  options.binary_location = programs[0]
  for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('browser')}"):
    options.add_argument(flag)
  driver = webdriver.Chrome(options, webdriver.ChromeService(programs[1]))
  yield driver
  driver.quit()


@pytest.fixture(scope="module")
def migs():
  """{run: MIG} of a study's runs; the last one has none yet."""
  return {}


@pytest.fixture(scope="module")
def study(tmp_path_factory, migs):
  """12,600 runs: six methods at six strengths on seven data sets with fifty seeds."""
  study = StudyFolder(tmp_path_factory.mktemp("study"))
  sweep = {"BETA": [1, 2, 4, 6, 8, 16]}
  runs = {name: {"files": ["a.gin"], "sweep": sweep} for name in METHODS}
  data = {f"set {number}": ["d.gin"] for number in range(7)}
  plans = plan_study(runs, data=data, seeds=50, metrics="m.gin")
  rng = np.random.default_rng(0)
  for plan in plans[:-1]:
    folder = study.run(plan).scores.parent
    folder.mkdir(parents=True)
    values = [round(value, 6) for value in rng.uniform(0.001, 1, 10).tolist()]
    scores = {"mig": values[0], **{f"score_{i}": v for i, v in enumerate(values[1:])}}
    content = {"scores": scores, "model": {"step": 1}}
    (folder / "scores.json").write_text(json.dumps(content))
    migs[plan.run] = values[0]
  best = study.path / max(migs, key=migs.get) / "scores" / "report.html"
  best.write_text("<title>the best</title>")
  write_report(study, plans)
  return study


@pytest.fixture
def table(browser, study):
  """The part of the page that has all runs, freshly loaded."""
  browser.get((study.path / "report.html").as_uri())
  return _find(browser, '.sortable[aria-label="All runs"]')


def _find(place, selector):
  return place.find_element("css selector", selector)


def _texts(table, column):
  """The texts of a column on the page that is shown."""
  script = """return [...arguments[0].querySelectorAll(
    `tbody td:nth-child(${arguments[1]})`)].map((cell) => cell.textContent)"""
  return table.parent.execute_script(script, table, column)


def _head(table, name):
  (head,) = (
    each
    for each in table.find_elements("css selector", "thead th")
    if each.text.split()[0] == name
  )
  return head


def _seconds(browser, script, *arguments):
  """How long a browser takes to run a script and to lay out the page."""
  timed = f"""const start = performance.now(); {script};
    document.body.offsetHeight; return performance.now() - start"""
  return browser.execute_script(timed, *arguments) / 1000


def test_the_first_rows_are_there_soon(browser, table):
  loaded = browser.execute_script(
    "return performance.getEntriesByType('navigation')[0].domComplete"
  )
  assert loaded / 1000 < 3 * SECONDS
  assert len(_texts(table, 1)) == 100
  assert _find(table, "output").text == "1–100 of 12,600 rows"


def test_text_of_users_is_text(browser, study, table):
  assert browser.title == f"Study {study.path.name}"
  _find(table, "input").send_keys("document.title")
  assert set(_texts(table, 1)) == {EVIL}
  assert browser.get_log("browser") == []


def test_a_click_sorts(browser, table, migs):
  head = _head(table, "mig")
  assert head.get_attribute("aria-sort") == "none"
  _find(head, "button").click()
  assert head.get_attribute("aria-sort") == "descending"
  expected = sorted(migs.values(), reverse=True)
  assert _texts(table, 6) == [f"{value:.3f}" for value in expected[:100]]
  _find(head, "button").click()
  assert head.get_attribute("aria-sort") == "ascending"
  # What has no score stays last.
  assert _texts(table, 6)[:10] == [f"{value:.3f}" for value in expected[:-11:-1]]
  taken = _seconds(browser, "arguments[0].click()", _find(head, "button"))
  assert taken < SECONDS
  _find(_head(table, "setting"), "button").click()
  assert head.get_attribute("aria-sort") == "none"
  assert set(_texts(table, 3)) == {"BETA=1"}
  _find(_head(table, "setting"), "button").click()
  assert set(_texts(table, 3)) == {"BETA=16"}  # by strength, not by letters


def test_pages_are_turned(table):
  back, onward = table.find_elements("css selector", ".controls button")
  assert not back.is_enabled()
  first = _texts(table, 6)
  onward.click()
  assert _find(table, "output").text == "101–200 of 12,600 rows"
  assert _texts(table, 6) != first
  back.click()
  assert _texts(table, 6) == first


def test_fields_filter(browser, table, migs):
  field = _find(table, "input")
  field.send_keys("factorvae mig>0.99")
  high = [value for run, value in migs.items() if "FactorVAE" in run and value > 0.99]
  assert _texts(table, 6) == [f"{value:.3f}" for value in high]
  assert _find(table, "output").text == (
    f"1–{len(high)} of {len(high)} rows (12,600 in all)"
  )
  field.clear()
  field.send_keys("seed=3")
  assert set(_texts(table, 4)) == {"3"}
  field.clear()
  field.send_keys("no such word")
  assert _texts(table, 1) == [] and _find(table, "output").text.startswith("0 rows")
  field.clear()
  field.send_keys(" ")  # clearing says nothing to the page
  (states,) = (
    label
    for label in table.find_elements("css selector", "label")
    if label.text.startswith("state")
  )
  _find(states, "option:last-child").click()
  assert _texts(table, 5) == ["waiting"] and _texts(table, 6) == ["–"]
  write = """arguments[0].value = "dip mig<0.5";
    arguments[0].dispatchEvent(new Event("input"))"""
  assert _seconds(browser, write, field) < SECONDS


def test_a_run_leads_to_its_report(browser, table):
  _find(_head(table, "mig"), "button").click()
  _find(table, "tbody tr:first-child a").click()
  assert browser.title == "the best"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_the_page(browser, table, scheme):
  """At least 4.5 to 1, as the accessibility guidelines ask."""
  feature = {"name": "prefers-color-scheme", "value": scheme}
  browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
  page = _luminance(browser, "body", "backgroundColor")
  assert (page < 0.5) == (scheme == "dark")
  for selector in ("body", "p.note", "figcaption a", "thead button"):
    ink = _luminance(browser, selector, "color")
    assert (max(page, ink) + 0.05) / (min(page, ink) + 0.05) > 4.5


def _luminance(browser, selector, name):
  """Relative luminance of a colour, as WCAG 2 defines it."""
  script = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
  text = browser.execute_script(script, selector, name)
  levels = np.array(text.strip("rgba()").split(",")[:3], float) / 255
  linear = np.where(
    levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4
  )
  return linear @ [0.2126, 0.7152, 0.0722]
