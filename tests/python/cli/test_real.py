"""Real executables: somebody's plain Google Benchmark, and one that misbehaves."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Done, assay_command
from judging import Floats, real_rounds
from patience import PATIENCE_S

from assay.model import Record, Sample, Side
from assay.record.writer import write

Assay = Callable[..., Done]
Native = Callable[[str], Path]

NEW_ENGINE = """
import google_benchmark as benchmark

@benchmark.register(name='sum "of" <ints>/ü')
def total(state):
    while state:
        sum(range(1000))

benchmark.main()
"""


def test_every_odd_name_survives_list_run_and_compare(
    assay: Assay, native: Native, tmp_path: Path
) -> None:
    bench = native("plain_benchmark")
    names = assay("list", bench).out.splitlines()
    odd = [name for name in names if name.startswith(("odd", "map_lookup"))]
    assert len(odd) >= 8
    out = tmp_path / "r.json"
    done = assay("run", bench, "--filter", "^(odd|map_lookup)", "--rounds", 1, "-o", out, "-q")
    assert done.code == 0, done.err
    rows = json.loads(out.read_text())["benchmarks"]
    assert [one["name"] for one in rows] == odd
    assert all(one["iterations"] > 0 and one["real_time"] > 0 for one in rows)
    options = ("--filter", "^(odd|map_lookup)", "--rounds", 2, "--json", tmp_path / "c.json", "-q")
    assert assay("compare", bench, bench, *options).code == 0
    compared = json.loads((tmp_path / "c.json").read_text())["comparisons"]
    assert list(dict.fromkeys(one["benchmark"] for one in compared)) == odd


def test_the_record_of_few_rounds_is_whole_and_without_verdicts(
    assay: Assay, native: Native, tmp_path: Path
) -> None:
    copy = Path(shutil.copy(native("plain_benchmark"), tmp_path / "copy"))
    out, record = tmp_path / "o.json", tmp_path / "r.json"
    options = ("--filter", "getpid|hash_fnv1a", "--rounds", 6, "--json", out, "-o", record, "-q")
    done = assay("compare", native("plain_benchmark"), copy, *options)
    assert done.code == 0, done.err
    document = json.loads(out.read_text())
    times = [one for one in document["comparisons"] if one["metric"] in ("real_time", "cpu_time")]
    assert len(times) == 6
    assert {one["verdict"] for one in times} == {"undecided"}, "an interval takes 9 rounds"
    assert {one["rounds"] for one in times} <= set(range(1, 7))
    rows = json.loads(record.read_text())["benchmarks"]
    assert {one["assay"]["side"] for one in rows} == {"base", "candidate"}
    # 15 on an idle machine; where launches take long, fewer are asked for.
    assert all(1 <= len(one["assay"]["samples"]["real_time"]) <= 15 for one in rows)


@pytest.mark.parametrize(
    ("measured", "code", "verdicts"),
    [("identical", 0, {"same", "undecided"}), ("five_percent", 1, {"slower"})],
)
def test_an_identical_copy_is_not_flagged_and_a_slower_build_is(
    assay: Assay, tmp_path: Path, measured: str, code: int, verdicts: set[str]
) -> None:
    """40 rounds of 17 benchmarks as a noisy machine gave them."""
    facts, record, out = {"design": "interleaved"}, tmp_path / "r.json", tmp_path / "o.json"
    write(Record(context={}, facts=facts, samples=recorded(real_rounds(measured))), record)
    done = assay("compare", record, "--gate", "--json", out)
    assert done.code == code, done.err
    comparisons = json.loads(out.read_text())["comparisons"]
    assert [one["benchmark"] for one in comparisons] == list(real_rounds(measured))
    assert {one["rounds"] for one in comparisons} == {40}
    assert {one["verdict"] for one in comparisons} == verdicts
    assert all(one["low"] is not None and one["high"] is not None for one in comparisons)


def recorded(rounds: dict[str, tuple[Floats, Floats]]) -> tuple[Sample, ...]:
    """The samples of an interleaved comparison in which the sides took turns at going first."""
    return tuple(
        Sample(
            benchmark=benchmark,
            values={"real_time": tuple(launch.tolist())},
            side=side,
            round=number,
            position=(number + place) % 2,
        )
        for benchmark, sides in rounds.items()
        for place, (side, launches) in enumerate(zip(Side, sides, strict=True))
        for number, launch in enumerate(launches)
    )


def test_threads_are_not_pinned_and_single_threads_are(
    assay: Assay, native: Native, tmp_path: Path
) -> None:
    out = tmp_path / "r.json"
    options = ("--filter", "threads:2|getpid", "--rounds", 1, "-o", out, "-q")
    assert assay("run", native("plain_benchmark"), *options).code == 0
    cpus = {
        one["name"]: one["assay"].get("cpu") for one in json.loads(out.read_text())["benchmarks"]
    }
    assert cpus["getpid_syscall"] == max(os.sched_getaffinity(0))
    assert cpus["spin/real_time/threads:2"] is None


def test_a_newer_engine_through_python(assay: Assay, tmp_path: Path) -> None:
    """google-benchmark 1.9 from the package index: other flags, same contract."""
    script = tmp_path / "bench.py"
    script.write_text(NEW_ENGINE)
    target = f"{sys.executable} {script}"
    out = tmp_path / "r.json"
    done = assay("run", target, "--rounds", 2, "-o", out, "-q")
    assert done.code == 0, done.err + done.out
    rows = json.loads(out.read_text())["benchmarks"]
    assert {one["name"] for one in rows} == {'sum "of" <ints>/ü'}
    assert len({one["iterations"] for one in rows}) == 1, "the iteration count is not shared"


def test_commands(assay: Assay, tmp_path: Path) -> None:
    out = tmp_path / "o.json"
    options = ("--rounds", 200, "--json", out, "--margin", "20%", "-q", "--metric", "real_time")
    done = assay("compare", "cmd:sleep 0.01", "cmd:sleep 0.05", *options, "--gate")
    assert done.code == 1, done.out + done.err
    (one,) = json.loads(out.read_text())["comparisons"]
    assert one["verdict"] == "slower"
    assert 1.5 < one["change"] < 4.5
    assert one["unit"] == "ms"


@pytest.mark.parametrize(
    ("benchmark", "words"),
    [
        ("aborts", "crashed with SIGABRT"),
        ("segfaults", "crashed with SIGSEGV"),
        ("exits_early", "wrote no JSON|cannot be used"),
        ("exits_with_7", "exited with code 7"),
        ("throws", "crashed with SIGABRT"),
        ("skips", "reported an error"),
        ("hangs", "ran past the timeout"),
    ],
)
def test_what_goes_wrong_is_named_and_the_others_get_verdicts(
    assay: Assay, native: Native, tmp_path: Path, benchmark: str, words: str
) -> None:
    bench, out = native("misbehaving_benchmark"), tmp_path / "o.json"
    options = ("--filter", f"^({benchmark}|fine/0)$", "--rounds", 3, "--timeout", "1s")
    done = assay("compare", bench, bench, *options, "--json", out, "-q")
    assert done.code == 3
    document = json.loads(out.read_text())
    (failure,) = document["failures"]
    assert failure["benchmark"] == benchmark
    assert any(word in failure["what"] for word in words.split("|")), failure
    assert {one["benchmark"] for one in document["comparisons"]} == {"fine/0"}
    assert f"failed {benchmark}" in done.out


@pytest.mark.parametrize("how", ["rubbish", "truncated", "silent", "exit3"])
def test_an_executable_that_writes_no_results(
    assay: Assay, native: Native, tmp_path: Path, how: str
) -> None:
    """Misbehaves always, or from the launches on: either way it is said, exit 3."""
    bench = native("misbehaving_benchmark")
    wrapper = tmp_path / "wrapper"
    wrapper.write_text(
        "#!/bin/sh\n"
        f'case "$*" in *list_tests*) exec {bench} "$@";; esac\n'
        f'MISBEHAVE={how} exec {bench} "$@"\n'
    )
    wrapper.chmod(0o755)
    done = assay("compare", wrapper, wrapper, "--filter", "fine/0", "--rounds", 2, "-q")
    assert done.code == 3, done.out + done.err
    assert "failed fine/0 (base): it" in done.out


def measuring(tmp_path: Path, native: Native) -> "subprocess.Popen[str]":
    """A comparison that is well under way."""
    bench = native("plain_benchmark")
    command = [*assay_command(), "compare", str(bench), str(bench), "--filter", "getpid|hash_std"]
    command += ["--rounds", "100000", "-o", str(tmp_path / "o.json"), "--json"]
    process = subprocess.Popen(
        [*command, str(tmp_path / "c.json"), "-q"], stdout=subprocess.PIPE, text=True
    )
    journal = tmp_path / "o.json.journal"
    for _ in range(200):
        if journal.exists() and journal.read_bytes().count(b"\n") > 12:
            return process
        time.sleep(0.05)
    process.kill()
    pytest.fail("nothing was measured within 10 s")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_keeps_and_reports_what_was_measured(
    tmp_path: Path, native: Native, number: signal.Signals, code: int
) -> None:
    process = measuring(tmp_path, native)
    process.send_signal(number)
    out, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == code
    assert "interrupted" in out
    record: dict[str, Any] = json.loads((tmp_path / "o.json").read_text())
    assert record["context"]["assay"]["interrupted"] is True
    assert len(record["benchmarks"]) >= 10
    assert json.loads((tmp_path / "c.json").read_text())["comparisons"]
    assert _no_children_of("plain_benchmark")


def test_killed_outright_the_journal_can_be_judged(
    assay: Assay, tmp_path: Path, native: Native
) -> None:
    process = measuring(tmp_path, native)
    process.kill()
    process.wait(10)
    assert _no_children_of("plain_benchmark")
    done = assay("compare", tmp_path / "o.json.journal")
    assert done.code == 0, done.err
    assert "hash_std" in done.out


def test_a_file_against_a_live_executable_is_said_to_be_sequential(
    assay: Assay, native: Native, tmp_path: Path
) -> None:
    bench, record, out = native("plain_benchmark"), tmp_path / "r.json", tmp_path / "o.json"
    options = ("--filter", "getpid", "--rounds", 6, "-q")
    assert assay("run", bench, *options, "-o", record).code == 0
    done = assay("compare", record, bench, *options, "--json", out)
    assert done.code == 0, done.err
    for one in json.loads(out.read_text())["comparisons"]:
        assert one["design"] == "sequential"
        assert "one after the other" in one["method"]


def test_a_gate_does_not_pass_what_it_cannot_tell(
    assay: Assay, native: Native, tmp_path: Path
) -> None:
    bench = native("plain_benchmark")
    options = ("--filter", "getpid", "--rounds", 2, "-q")
    assert assay("compare", bench, bench, *options, "--gate=strict").code == 4
    assert assay("compare", bench, bench, *options, "--gate").code == 4, "no interval, and passed"
    assert assay("compare", bench, bench, *options).code == 0


def test_doctor_says_something_of_everything(assay: Assay) -> None:
    done = assay("doctor")
    assert done.code == 0
    for word in (
        "governor",
        "turbo",
        "SMT",
        "ASLR",
        "load",
        "steal",
        "virtualisation",
        "perf",
        "BPF",
    ):
        assert word in done.out


def _no_children_of(name: str) -> bool:
    for _ in range(40):
        if subprocess.run(["pgrep", "-f", f"{name} --benchmark"], capture_output=True).returncode:
            return True
        time.sleep(0.05)
    return False
