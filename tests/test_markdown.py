from disentangle_tf.markdown import markdown_table


def test_names_then_a_line_then_rows():
  table = markdown_table(["loss", "MIG"], [["mse", "0.01"], ["overlap", "0.50"]])
  assert table.splitlines() == [
    "| loss | MIG |",
    "|---|---|",
    "| mse | 0.01 |",
    "| overlap | 0.50 |",
  ]


def test_without_rows():
  assert markdown_table(("a",), []) == "| a |\n|---|"
