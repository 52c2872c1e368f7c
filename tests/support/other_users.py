"""Runs Assay as another user, which only root can, and only where that user has access.

@pytest.mark.skipif(bool(why_not()), reason=why_not())
subprocess.run([*NOBODY, ASSAY, "--version"])

No other user can enter a checkout in root's home; 9 tests once failed there.
"""

import os
import shutil
import subprocess
import sysconfig
from functools import cache
from pathlib import Path

ASSAY = Path(sysconfig.get_path("scripts")) / "assay"
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
# a user without an entry in /etc/passwd
STRANGER = ("setpriv", "--reuid=54321", "--regid=54321", "--clear-groups")


@cache
def why_not() -> str:
    """Why nothing can be run as another user here; empty if it can."""
    if os.geteuid() != 0:
        return "only root can run as another user"
    if shutil.which("setpriv") is None:
        return "setpriv is not installed"
    as_nobody = [*NOBODY, "test", "-x", str(ASSAY)]
    if subprocess.run(as_nobody, check=False).returncode:
        return "other users may not enter the folder of this checkout"
    return ""
