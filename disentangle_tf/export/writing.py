"""Writing an export: the SavedModel with its signatures, and the manifest."""

import keras

from disentangle_tf.export.manifest import write_manifest
from disentangle_tf.export.model_description import model_to_config
from disentangle_tf.export.signatures import signatures
from disentangle_tf.output_files import whole_directory


def write_export(
  model,
  directory,
  *,
  data,
  config_text="",
  hyper_parameters=None,
  seed=0,
  step=0,
  overwrite=False,
):
  """Exports `model` for anyone to use without this project's code.

  The SavedModel has the `signatures` encode (also the default, and as `serve`), decode,
  decode_parameters, reconstruct.

  Args:
    model: a `RepresentationModel`.
    directory: the export's folder; it appears whole or not at all.
    data: the `GroundTruthData` it was trained on.
    config_text, hyper_parameters, seed, step: what made it, for the manifest.
    overwrite: move aside what stands there already, which is refused otherwise.

  Returns:
    `directory`.
  """
  archive = keras.export.ExportArchive()
  archive.track(model)
  endpoints = signatures(model)
  endpoints["serve"] = endpoints["encode"]  # which keras.layers.TFSMLayer calls
  for name, (function, spec) in endpoints.items():
    archive.add_endpoint(name, function, [spec])
  with whole_directory(directory, overwrite=overwrite) as temporary:
    archive.write_out(str(temporary), verbose=False)
    write_manifest(
      temporary,
      data=data,
      latents=model.latents,
      model=model_to_config(model),
      config_text=config_text,
      hyper_parameters=hyper_parameters or {},
      seed=seed,
      step=step,
    )
  return directory
