import subprocess
import sys


def test_metrics_need_no_tensorflow():
  code = "import sys, disentangle_tf.metrics; sys.exit('tensorflow' in sys.modules)"
  assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
