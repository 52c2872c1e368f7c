"""Two tiny Google Benchmark executables, and a session that measures them.

    pair = Pair(folder, holds_after=14)
    with pair.compared(store) as session:      # `assay compare`, in a process of its own
        ...                                    # after 14 launches the next one waits
        pair.go()

They are shell scripts that print a level with noise that depends only on the launch's number. So a
launch takes milliseconds, and a busy machine makes no difference.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from conftest import assay_command
from patience import PATIENCE_S

NAMES = ("BM_copy", "BM_hash")
_SCRIPT = """#!/bin/sh
repetitions=1
for word; do
    case $word in
    --benchmark_list_tests*) printf '{listed}'; exit ;;
    --benchmark_filter=*copy*) name=BM_copy level={copy} ;;
    --benchmark_filter=*hash*) name=BM_hash level=50 ;;
    --benchmark_repetitions=*) repetitions=${{word#*=}} ;;
    --benchmark_out=*) out=${{word#*=}} ;;
    esac
done
echo launched >> "{folder}/launches"
number=$(wc -l < "{folder}/launches")
while [ "$number" -gt {holds_after} ] && [ ! -e "{folder}/go" ]; do sleep 0.02; done
time=$level.$((number * 7 % 10))
row='"run_type": "iteration", "iterations": 1000, "time_unit": "ns", "threads": 1'
{{
    printf '{{"context": {{}}, "benchmarks": ['
    while [ "$repetitions" -gt 0 ]; do
        repetitions=$((repetitions - 1))
        printf '{{"name": "%s", "run_name": "%s", %s, ' "$name" "$name" "$row"
        printf '"repetition_index": %s, ' "$repetitions"
        printf '"real_time": %s, "cpu_time": %s}}' "$time" "$time"
        [ "$repetitions" -gt 0 ] && printf ', '
    done
    printf ']}}'
}} > "$out"
"""


@dataclass
class Pair:
    """Two executables: BM_copy takes a tenth longer in the candidate, BM_hash the same."""

    folder: Path
    holds_after: int = 10**9  # launches after which the next one waits for `go`

    def __post_init__(self) -> None:
        for name, copy in (("old", 100), ("new", 110)):
            text = _SCRIPT.format(
                folder=self.folder,
                holds_after=self.holds_after,
                copy=copy,
                listed="\\n".join([*NAMES, ""]),
            )
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)

    def go(self) -> None:
        """Release the launch that waits; no other waits any more."""
        (self.folder / "go").touch()

    @contextmanager
    def compared(self, store: Path, *words: str) -> Iterator["subprocess.Popen[str]"]:
        """Run `assay compare` on both; it stores its run."""
        sides = [str(self.folder / name) for name in ("old", "new")]
        process = subprocess.Popen(
            [*assay_command(), "compare", *sides, "--store", str(store), "-q", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "XDG_STATE_HOME": str(self.folder / "state")},
        )
        try:
            yield process
        finally:
            self.go()
            process.communicate(timeout=PATIENCE_S)
