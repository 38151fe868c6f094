from disentangle_tf.adversary import mlp_manipulation


def test_the_layers():
  made = mlp_manipulation((4, 5, 2), 3, units=(7, 6), units_before=(9,))
  shapes = [variable.shape for variable in made.trainable_variables]
  assert shapes == [
    (3, 9), (9,), (9, 1), (1,), (1, 7), (7,), (7, 6), (6,), (6, 40), (40,),
  ]  # fmt: skip
