"""The process that judges for the server: it ends with the server, however that ends."""

import os
import select
import subprocess
import sys
from pathlib import Path

# Comes before everything in both processes: judging tells that it began, and never ends.
_ENDLESS = """
import os, time
from pathlib import Path
import assay.workflows.pages.survey as survey

def surveyed(root):
    with Path(root).open("w") as began:
        began.write(f"{os.getpid()}\\n")
    time.sleep(3600)

survey.surveyed = surveyed
"""
_SERVER = "import sys, pathlib, assay.web.work as w; w.Worker().survey(pathlib.Path(sys.argv[1]))"


def test_a_server_that_is_killed_leaves_no_process_that_judges(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(_ENDLESS)
    began = tmp_path / "began"
    os.mkfifo(began)
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVER, str(began)], env={**os.environ, "PYTHONPATH": path}
    )
    with began.open() as told:
        judging = os.pidfd_open(int(told.read()))
    server.kill()
    server.wait()
    ended, _, _ = select.select([judging], [], [], 120)
    assert ended, "the process that judges runs on"
