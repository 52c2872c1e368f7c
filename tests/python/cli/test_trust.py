"""assay trust as a user runs it: on a real program, slowed by the real library."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from conftest import Done

Assay = Callable[..., Done]
Native = Callable[[str], Path]


def test_a_program_is_tried_out(assay: Assay, native: Native, tmp_path: Path) -> None:
    """No verdict is asked for here: how many come in so few seconds is the machine's matter."""
    found, page = tmp_path / "trust.json", tmp_path / "trust.html"
    words = ("--filter", "hash_fnv1a/16|getpid", "--budget", "4s", "--seed", "3", "-q")
    done = assay("trust", native("plain_benchmark"), *words, "--json", found, "--html", page)
    assert done.code == 0, done.err
    assert done.err == ""
    document = json.loads(found.read_text())
    tried = [one["injected"] for one in document["tries"]]
    assert set(tried) <= {0.0, 0.02, 0.05, 0.1}
    for tries in document["tries"][1:]:
        for one in tries["told"]:
            assert one["added"] >= 0.99 * tries["injected"], "no launch is quicker than its delay"
        assert (
            tries["right"]["count"] + tries["wrong"]["count"] + tries["open"]["count"]
            == (tries["right"]["of"])
        )
    assert document["seed"] == 3
    assert document["placement"]["links"] == 0
    assert ("no time for every slowdown" in done.out) == (len(tried) < 4)
    assert ("its copy " in done.out) == (0.0 in tried)
    assert "libassay_delay.so" in done.out
    assert "What placement does to its times is not known" in done.out
    assert "<h2" in page.read_text()


def test_without_a_target_it_is_the_suite_here(assay: Assay, tmp_path: Path) -> None:
    done = assay("trust", "-q", cwd=tmp_path)
    assert done.code == 2
    assert "assay.toml" in done.err


def test_bad_input_is_refused_before_anything_runs(
    assay: Assay, native: Native, tmp_path: Path
) -> None:
    bench = native("plain_benchmark")
    for words, says in (
        ((bench, "--budget", "0"), "--budget"),
        ((bench, "--budget", "soon"), "not a time"),
        ((bench, "--filter", "nosuch"), "matches none"),
        ((bench, "--margin", "x"), "not a percentage"),
        ((bench, "--html", tmp_path / "no" / "page.html"), "no such folder"),
        (("cmd:true",), "no program whose loops are timed"),
        ((tmp_path / "gone",), "no such file"),
    ):
        done = assay("trust", *words, "-q")
        assert done.code == 2, (words, done.out, done.err)
        assert says in done.err
        assert done.out == ""


def test_a_program_that_the_delay_does_not_reach_is_compared_with_its_copy_only(
    assay: Assay, native: Native, tmp_path: Path
) -> None:
    bench = tmp_path / "bench"
    shutil.copy(native("plain_benchmark"), tmp_path / "plain")
    bench.write_text(f'#!/bin/sh\nunset LD_PRELOAD ASSAY_DELAY_FILE\nexec {tmp_path}/plain "$@"\n')
    bench.chmod(0o755)
    done = assay("trust", bench, "--filter", "getpid", "--budget", "2s", "-q")
    assert done.code == 0, done.err
    assert "itself, " not in done.out
    assert "the delay reached none of its benchmarks" in done.out
