from study_figure_checks import run_figure_test, small_study

from disentangle_tf.studies.figures import plot_score_summary


def test_promises():
  run_figure_test(plot_score_summary, scores=("mig", "sap"))


def test_means_and_deviations():
  table = small_study().select(strength=1)
  found = plot_score_summary(table)
  wide = table.pivot(["mig"])
  chosen = (wide.method == "FactorVAE") & (wide.data == "dsprites")
  values = wide.values.data[chosen, 0]
  cell = f"{values.mean():.2f} ± {values.std(ddof=1):.2f}"
  assert cell in found["score_summary.md"]
  texts = [text.get_text() for text in found["score_summary_dsprites"].axes[0].texts]
  assert cell in texts and "FactorVAE" in texts and len(found) == 4


def test_one_model_has_no_deviation():
  table = small_study().select(strength=1, seed=0)
  lines = plot_score_summary(table, scores=("mig",))["score_summary.md"].split("\n")
  assert "±" not in lines[2]  # the caption has one
