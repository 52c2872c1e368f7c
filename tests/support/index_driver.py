"""Runs assay-index for its tests."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conftest import NATIVE
from patience import PATIENCE_S

DRIVER = NATIVE / "libexec" / "assay" / "assay-index"
MAP = str(NATIVE / "tests" / "libfaulty_tree.so")  # it has no fault unless ASSAY_TEST_FAULT is set
MIXED = (
    *("-r", 0.3, "-i", 0.2, "-u", 0.2, "-d", 0.1, "-s", 0.1, "--rmw_ratio", 0.1),
    *("-n", 2000, "-p", 20_000, "-t", 2, "--scan_size", 20),
)


@dataclass(frozen=True)
class Ran:
    """The exit code and output of a run."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The standard output of a run with `--json -`, parsed."""
        document: dict[str, Any] = json.loads(self.out)
        return document

    def row(self, kind: str) -> dict[str, Any]:
        """The only row whose name ends with `kind`."""
        rows = [r for r in self.json["benchmarks"] if r["name"].endswith("/" + kind)]
        assert len(rows) == 1, [r["name"] for r in self.json["benchmarks"]]
        found: dict[str, Any] = rows[0]
        return found


def drive(*arguments: object, fault: str = "", cwd: Path | None = None) -> Ran:
    """One run; `fault` is one of those in faulty_tree.cpp."""
    environment = {**os.environ, "ASSAY_TEST_FAULT": fault} if fault else None
    done = subprocess.run(
        [str(DRIVER), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
        env=environment,
        cwd=cwd,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
