"""`--when-busy refuse`: what measures ends while another measures; what only reads does not."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import pytest
from conftest import DATA, Done, assay_command
from patience import PATIENCE_S

HOLDS = """
import sys
from assay.measure.machine_lock import measuring_alone
with measuring_alone(print):
    print("measuring", flush=True)
    sys.stdin.read()
"""
REFUSE = ("--when-busy", "refuse", "--rounds", "1", "--no-store")


@contextmanager
def somebody_measures(folder: Path) -> Iterator[subprocess.Popen[str]]:
    environment = {"ASSAY_MACHINE_LOCK": str(folder), "PATH": "/usr/bin:/bin"}
    words = [sys.executable, "-c", HOLDS]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "measuring\n"
        yield holder
        holder.communicate("")


def test_only_what_measures_is_refused(assay: Callable[..., Done], tmp_path: Path) -> None:
    machine = {"ASSAY_MACHINE_LOCK": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    old, new = (DATA / "gbench" / f"test1_run{number}.json" for number in (1, 2))
    with somebody_measures(tmp_path) as holder:
        refused = assay("compare", "cmd:true", "cmd:true", *REFUSE, cwd=tmp_path, **machine)
        files = assay("compare", old, new, "--when-busy", "refuse", cwd=tmp_path, **machine)
    measured = assay("compare", "cmd:true", "cmd:true", *REFUSE, cwd=tmp_path, **machine)
    assert refused.code == 3
    assert f"another measurement runs on this machine: process {holder.pid} " in refused.err
    assert files.code == 0
    assert measured.code == 0, measured.err


SWEEP = """
plugins = ["stlmap"]
threads = [1]
mixes = { reads = { read = 1.0 } }
[flags]
records = 100
"""
OVERHEAD = """
target = "cmd:true"
[[condition]]
name = "beside"
wrap = "env"
proof.state = "echo 1"
"""
MEASURING = [  # each with little to do, so that one that does not refuse ends soon
    ("run", "BENCH", "--rounds", "1", "--no-store"),
    ("compare", "BENCH", "BENCH", "--floor", "--rounds", "1", "--no-store"),
    ("floor", "BENCH", "--rounds", "1"),
    ("trust", "BENCH", "--budget", "1s"),
    ("why", "BENCH", "COPY", "--stages", "work"),
    ("overhead", "overhead.toml", "--rounds", "1", "--no-store"),
    ("suite", "primitives", "--quick", "--only", "callback", "--no-store"),
    ("os", "exec", "-C", "1"),
    ("os", "all", "--filter", "^exec$", "--no-store"),
    ("index", "stlmap", "-n", "100", "-p", "100"),
    ("index", "--crash", "1", "stlmap"),
    ("index", "--sweep", "sweep.toml", "--no-store"),
]


@pytest.mark.parametrize("words", MEASURING, ids=lambda words: "-".join(words[:2]).strip("-"))
def test_every_verb_that_measures_can_refuse(
    assay: Callable[..., Done],
    native: Callable[[str], Path],
    tmp_path: Path,
    words: tuple[str, ...],
) -> None:
    bench = native("plain_benchmark")
    (copy := tmp_path / "copy").write_bytes(bench.read_bytes() + b"\0")
    copy.chmod(0o755)
    (tmp_path / "sweep.toml").write_text(SWEEP)
    (tmp_path / "overhead.toml").write_text(OVERHEAD)
    given = {"BENCH": str(bench), "COPY": str(copy)}
    machine = {"ASSAY_MACHINE_LOCK": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    typed = (*(given.get(word, word) for word in words), "--when-busy", "refuse")
    with somebody_measures(tmp_path) as holder:
        refused = assay(*typed, cwd=tmp_path, **machine)
    assert refused.code == 3, refused
    assert f"another measurement runs on this machine: process {holder.pid} " in refused.err
    unknown = assay(*typed[:-1], "later", cwd=tmp_path, **machine)
    assert unknown.code == 2, unknown
    assert "--when-busy=later" in unknown.err


@pytest.mark.parametrize(
    "words",
    [
        ("run", "BENCH"),
        ("compare", "BENCH", "BENCH", "--floor"),
        ("floor", "BENCH"),
        ("trust", "BENCH"),
        ("os", "exec"),
        ("index", "stlmap", "-n", "100", "-p", "100"),
    ],
    ids=lambda words: words[0],
)
def test_every_verb_that_measures_says_for_whom_it_waits(
    native: Callable[[str], Path], tmp_path: Path, words: tuple[str, ...]
) -> None:
    """Trust once waited in silence: what its comparisons announce is not shown."""
    bench = str(native("plain_benchmark"))
    command = [*assay_command(), *(bench if word == "BENCH" else word for word in words)]
    environment = {
        **os.environ,
        "ASSAY_MACHINE_LOCK": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
    }
    with (
        somebody_measures(tmp_path) as holder,
        subprocess.Popen(
            command,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            env=environment,
            cwd=tmp_path,
        ) as waiting,
    ):
        assert waiting.stderr
        silent = Timer(PATIENCE_S, waiting.kill)
        silent.start()
        said = ""
        while f"waiting for process {holder.pid} " not in said:
            line = waiting.stderr.readline()
            assert line, said
            said += line
        silent.cancel()
        waiting.send_signal(signal.SIGTERM)
        assert waiting.wait(PATIENCE_S) == 128 + signal.SIGTERM
