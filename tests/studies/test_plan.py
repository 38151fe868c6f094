import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies.plan import Plan, first_of_each, folder_name, plan_study


def test_folder_names_are_safe_and_tell_settings_apart():
  settings = {"data.XYSquares.grid_spacing": 2, "BETA": 0.1}
  assert folder_name("../a b", settings) == "a_b_grid_spacing_2_BETA_0.1"
  assert folder_name("UNITS", {"UNITS": (4, 8)}) == "UNITS_UNITS_4_8"


RUNS = {
  "beta-VAE": {"files": ["beta.gin"], "sweep": {"BETA": [1, 4]}},
  "FactorVAE": {"files": ["factor.gin"], "sweep": {"GAMMA": [10, 20, 30]}},
}
DATA = {"dSprites": ["dsprites.gin"], "Cars": ["cars.gin"]}


def _plan(**options):
  return plan_study(**{"runs": RUNS, "data": DATA, "metrics": "m.gin", **options})


def test_every_method_has_its_own_sweep_and_seeds_vary_slowest():
  plans = _plan(seeds=3)
  assert len(plans) == 3 * 2 * (2 + 3)
  assert [plan.seed for plan in plans] == [0] * 10 + [1] * 10 + [2] * 10
  assert [plan.run for plan in first_of_each(plans)] == [
    "dSprites/beta-VAE_BETA_1/seed_0",
    "dSprites/FactorVAE_GAMMA_10/seed_0",
    "Cars/beta-VAE_BETA_1/seed_0",
    "Cars/FactorVAE_GAMMA_10/seed_0",
  ]
  first, second, third = plans[:3]
  assert (first.method, first.data, first.settings) == (
    "beta-VAE",
    "dSprites",
    {"BETA": 1},
  )
  assert (second.settings, second.strength) == ({"BETA": 4}, 1)
  assert (third.method, third.settings, third.strength) == (
    "FactorVAE",
    {"GAMMA": 10},
    0,
  )
  assert first.files == ("beta.gin", "dsprites.gin")
  assert second.bindings == ("BETA=4", "SEED=0")
  assert second.run == "dSprites/beta-VAE_BETA_4/seed_0"
  assert plans[5].run == "Cars/beta-VAE_BETA_1/seed_0"


def test_the_study_of_locatello_et_al_in_the_order_of_its_index():
  names = ["beta", "factor", "dip_i", "dip_ii", "beta_tc", "annealed"]
  runs = {name: {"files": [name], "sweep": {"S": [1, 2, 3, 4, 5, 6]}} for name in names}
  data = {f"set {number}": [f"{number}.gin"] for number in range(7)}
  plans = plan_study(runs, data=data, seeds=50, metrics="m.gin")
  assert len(plans) == 12_600
  by_index = {}
  for plan in plans:
    place = 1_800 * list(data).index(plan.data) + 300 * names.index(plan.method)
    by_index[place + 50 * plan.strength + plan.seed] = plan
  assert sorted(by_index) == list(range(12_600))
  last = by_index[12_599]
  assert (last.data, last.method, last.settings) == ("set 6", "annealed", {"S": 6})


def test_one_sweep_for_all_methods_and_no_data():
  plans = plan_study(
    {"a": ["a.gin"]}, sweep={"X": [1, 2], "Y": [3]}, files=["last.gin"], metrics="m.gin"
  )
  assert [plan.settings for plan in plans] == [{"X": 1, "Y": 3}, {"X": 2, "Y": 3}]
  assert plans[0].run == "a_X_1_Y_3/seed_0"
  assert plans[0].files == ("a.gin", "last.gin")


def test_the_key_follows_all_that_decides_the_result():
  (plan, *_) = _plan()
  assert plan.key == _plan()[0].key
  keys = {plan.key}
  for options in (
    {"bindings": ["STEPS=2"]},
    {"seeds": [7]},
    {"read": lambda files: f"{files} say something else"},
    {"files": ["more.gin"]},
  ):
    keys.add(_plan(**options)[0].key)
  assert len(keys) == 5
  metrics_changed = _plan(read=lambda files: str(files) + "!" * (files == ["m.gin"]))
  assert metrics_changed[0].key not in keys


def test_the_key_follows_the_content_of_what_is_named():
  named = {"beta.gin": {"x.npz": "1"}, "m.gin": {"protocols.A": "2"}}

  def contents(text):
    found = {}
    for name, content in named.items():
      found |= content if name in text else {}
    return found

  (first, *others) = _plan(contents=contents)
  assert first.contents == {"x.npz": "1", "protocols.A": "2"}
  assert others[-1].contents == {"protocols.A": "2"}  # FactorVAE names no file
  assert first.said == _plan()[0].key != first.key  # as earlier versions computed it
  keys = {first.key}
  for name, content in (("beta.gin", {"x.npz": "9"}), ("m.gin", {"protocols.A": "9"})):
    named[name] = content
    keys.add(_plan(contents=contents)[0].key)
  assert len(keys) == 3
  bound = _plan(bindings=["PATH='m.gin'"], contents=contents)[0]
  assert bound.key != _plan(bindings=["PATH='m.gin'"])[0].key


def test_two_methods_of_one_label_are_refused():
  with pytest.raises(UserError, match="would have the label 'a, b, c' in figures"):
    _plan(runs={"a, b": ["f"], "a": ["f"]}, data={"c": ["d"], "b, c": ["d"]})


def test_files_are_read_once_per_list():
  asked = []
  _plan(seeds=4, read=lambda files: asked.append(files) or str(files))
  assert len(asked) == 1 + 4  # the metrics, and two methods on two sets


def test_round_trip():
  (plan, *_) = _plan()
  assert Plan.from_json({**plan.to_json(), "files": list(plan.files)}) == plan


def test_settings_of_a_data_set_are_bound_before_those_of_the_sweep():
  described = {"files": ["d.gin"], "settings": {"FOLDER": "runs/set"}}
  plans = _plan(
    runs={"m": ["m.gin"]},
    data={"plain": ["p.gin"], "changed": described},
    sweep={"B": [1]},
    bindings=["A=2"],
  )
  bound = {plan.data: plan.bindings for plan in plans if plan.seed == 0}
  assert bound["changed"] == ("A=2", "FOLDER='runs/set'", "B=1", "SEED=0")
  assert bound["plain"] == ("A=2", "B=1", "SEED=0")
  assert {"d.gin" in plan.files for plan in plans if plan.data == "changed"} == {True}


@pytest.mark.parametrize(
  ("options", "message"),
  [
    ({"runs": {}}, "runs is {}"),
    ({"runs": {"a": "a.gin"}}, "run 'a' is 'a.gin', must be a list"),
    ({"runs": {"a": {"file": []}}}, "run 'a' has 'file'"),
    ({"runs": {"a": {"files": ["f"], "sweep": {"B": 1}}}}, "sweep of 'a', B is 1"),
    ({"sweep": [1]}, r"sweep is \[1\]"),
    ({"data": []}, r"data is \[\]"),
    ({"data": {"a": "a.gin"}}, "data 'a' is 'a.gin'"),
    ({"data": {"a": {"file": []}}}, "data 'a' has 'file'"),
    ({"data": {"a": {"files": "f"}}}, "must be a list of files"),
    ({"data": {"a": {"files": [], "settings": 1}}}, "settings of data 'a' are 1"),
    ({"seeds": 0}, "seeds is 0"),
    ({"seeds": [-1]}, r"seeds is \[-1\]"),
    ({"bindings": "STEPS=1"}, "bindings is 'STEPS=1'"),
    ({"runs": {"a b": ["f"], "a_b": ["f"]}}, "two runs would share the folder"),
    ({"seeds": [1, 1]}, "two runs would share the folder"),
  ],
)
def test_mistakes_are_told(options, message):
  with pytest.raises(UserError, match=message):
    _plan(**options)


def test_a_method_may_have_bindings_which_those_of_the_study_override():
  runs = {
    "a": {"files": ["x.gin"], "bindings": ["STEPS=5"], "sweep": {"BETA": [1.0]}},
    "b": ["x.gin"],
  }
  first, second = plan_study(runs, bindings=["STEPS=2"], metrics="fast")
  assert first.bindings == ("STEPS=5", "STEPS=2", "BETA=1.0", "SEED=0")
  assert second.bindings == ("STEPS=2", "SEED=0")
  with pytest.raises(UserError, match="bindings of 'a' is 'STEPS=5', must be a list"):
    plan_study({"a": {"files": ["x.gin"], "bindings": "STEPS=5"}}, metrics="fast")
  with pytest.raises(UserError, match="bindings is for methods that are gin files"):
    plan_study({"a": {"files": print, "bindings": ["STEPS=5"]}}, metrics="fast")
