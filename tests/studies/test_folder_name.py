from disentangle_tf.studies.folder_name import folder_name


def test_folder_names_are_safe_and_tell_settings_apart():
  settings = {"data.XYSquares.grid_spacing": 2, "BETA": 0.1}
  assert folder_name("../a b", settings) == "a_b_grid_spacing_2_BETA_0.1"
  assert folder_name("UNITS", {"UNITS": (4, 8)}) == "UNITS_UNITS_4_8"
