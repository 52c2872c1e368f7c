"""The process that judges for the server: it ends with the server, however that ends."""

import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from serving import PATIENCE_S

# Comes before everything in both processes: judging tells that it began, and never ends.
_ENDLESS = """
import os, time
from pathlib import Path
import assay.workflows.pages.survey as survey

def survey_of_store(root):
    with Path(root).open("w") as began:
        began.write(f"{os.getpid()}\\n")
    time.sleep(3600)

survey.survey_of_store = survey_of_store
"""
_SERVER = "import sys, pathlib, assay.web.work as w; w.Worker().survey(pathlib.Path(sys.argv[1]))"


def test_a_server_that_is_killed_leaves_no_process_that_judges(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(_ENDLESS)
    began = tmp_path / "began"
    os.mkfifo(began)
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    told = os.open(began, os.O_RDONLY | os.O_NONBLOCK)
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVER, str(began)], env={**os.environ, "PYTHONPATH": path}
    )
    try:
        assert _readable(told), "nothing is judged"
        judging = os.pidfd_open(int(os.read(told, 20)))
    finally:
        server.kill()
        server.wait()
        os.close(told)
    try:
        assert _readable(judging), "the process that judges runs on"
    finally:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(judging, signal.SIGKILL)
        os.close(judging)


def _readable(descriptor: int) -> bool:
    """Waits for it. A descriptor of a process is readable when the process has ended."""
    ready, _, _ = select.select([descriptor], [], [], PATIENCE_S)
    return bool(ready)
