"""What holds for all tests: those that measure wait for none that run beside them.

A measurement locks the machine (`assay.measure.machine_lock`); here each process of pytest has a
folder of its own for it, which other users may open, too.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from assay.measure.machine_lock import VARIABLE

os.environ[VARIABLE] = _folder = tempfile.mkdtemp(prefix="assay-tests-machine-")
Path(_folder).chmod(0o755)
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
