"""Bad input: one line on standard error with what, where and what to try; exit 2."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import DATA, Done, gbench_json, row

from assay.cli.app import VERBS
from assay.cli.outermost import invoke

Assay = Callable[..., Done]
GOOD = str(DATA / "gbench" / "test1_run1.json")


def file(folder: Path, text: str, name: str = "bad.json") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def refused(done: Done, *words: str) -> None:
    assert done.code == 2, (done.out, done.err)
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1, done.err
    for word in words:
        assert word in done.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"context": {}, "benchmarks": [{"name": "a"', ("is not JSON", "complete")),
        ('{"some": "thing"}', ("no file of results", "reads Google Benchmark JSON")),
        ("[]", ("no file of results", "hyperfine JSON")),
        ("", ("empty",)),
        (gbench_json([row("a", float("nan"))]), ("'a' has real_time = nan",)),
        (gbench_json([row("a", -5.0)]), ("'a' has real_time = -5",)),
        (gbench_json([row("other")]), ("no benchmark in common", "'other'")),
        (gbench_json([]), ("candidate holds no benchmark",)),
    ],
)
def test_files(assay: Assay, tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    refused(assay("compare", GOOD, file(tmp_path, text)), *words)


def test_a_table_of_compare_py_is_made_of_its_own_files_only(assay: Assay) -> None:
    other = str(DATA / "formats" / "hyperfine" / "hyperfine.json")
    refused(assay("compare", other, other, "--format", "gbench"), "leave --format gbench out")


def test_paths(assay: Assay, tmp_path: Path) -> None:
    refused(assay("compare", GOOD, "none.json"), "none.json: no such file")
    refused(assay("compare", GOOD, tmp_path), "is a directory")
    refused(assay("run", file(tmp_path, "#!/bin/sh", "plain")), "is not executable", "chmod +x")
    refused(assay("run", GOOD), "is already measured")
    refused(assay("list", "no/bench"), "no/bench: no such file")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--filter", "nothing_like_it"), ("--filter nothing_like_it", "matches none of the 14")),
        (("--filter", "("), ("--filter (", "not a regular expression")),
        (("--metric", "p99"), ("--metric p99", "there is: cpu_time, real_time")),
        (("--margin", "much"), ("--margin much", "try 2%")),
        (("--alpha", "1.5"), ("--alpha 1.5", "between 0 and 1")),
        (("--rounds", "0"), ("--rounds 0",)),
        (("--rounds", "many"), ("--rounds", "integer")),
        (("--budget", "soon"), ("--budget soon", "try 90, 60s or 5m")),
        (("--gate=maybe",), ("--gate=maybe", "--gate=strict")),
        (("--json", "no/such/folder/o.json"), ("no such folder",)),
        (("--no-such-option",), ("--no-such-option", "assay compare --help")),
    ],
)
def test_options(assay: Assay, arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    refused(assay("compare", GOOD, GOOD, *arguments), *words)


# What is typed after these verbs, their own programs read.
@pytest.mark.parametrize("verb", sorted(VERBS.keys() - {"index", "os"}))
def test_each_verb_is_asked_for_its_own_help(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke([verb, "--no-such-option"]) == 2
    assert capsys.readouterr().err.endswith(f"try `assay {verb} --help`\n")


def test_without_a_verb_assay_itself_is_asked_for_help(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--no-such-option"], ["no-such-verb"]):
        assert invoke(words) == 2
        assert capsys.readouterr().err.endswith("try `assay --help`\n")


def test_a_cpu_we_may_not_use(assay: Assay, native: Callable[[str], Path]) -> None:
    bench = native("plain_benchmark")
    refused(
        assay("run", bench, "--pin", "4096", "--filter", "getpid"), "--pin 4096", "allowed here"
    )


def test_something_that_is_no_benchmark(assay: Assay) -> None:
    done = assay("list", "/bin/false")
    assert done.code == 3
    assert "error: /bin/false: listing its benchmarks failed: it exited with code 1" in done.err


def test_usage(assay: Assay) -> None:
    assert assay("compare").code == 2
    assert assay("nonsense").code == 2
    assert assay("--version").out.startswith("assay ")
    assert assay("compare", GOOD).code == 2


def test_a_record_of_both_sides_is_no_side(assay: Assay, tmp_path: Path) -> None:
    rows = [row("a", assay={"samples": {"real_time": [1.0]}, "side": "base", "round": 0})]
    both = file(tmp_path, json.dumps({"context": {}, "benchmarks": rows}))
    refused(assay("compare", both, GOOD), "holds both sides", f"assay compare {both}")
