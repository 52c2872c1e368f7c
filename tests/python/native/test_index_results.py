"""What assay-index writes: rows, series, histograms, logs, and PiBench's two layouts."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import DATA, NATIVE, Done
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader
from index_driver import MAP, MIXED, drive

from assay.record.reader import read

KINDS = ("read", "insert", "update", "remove", "scan", "read_modify_write")
SHARES = (0.3, 0.2, 0.2, 0.1, 0.1, 0.1)


def test_the_mix_asked_for_is_the_mix_run() -> None:
    ran = drive("dummy", "-p", 1_000_000, "-n", 1000, *MIXED[:12], "-t", 2, "--json", "-")
    assert ran.code == 0, ran.err
    for kind, share in zip(KINDS, SHARES, strict=True):
        assert abs(ran.row(kind)["iterations"] - share * 1e6) <= 4, kind
    assert ran.row("all")["iterations"] == 1_000_000


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_every_insert_succeeds(threads: int) -> None:
    mix = ("-r", 0.5, "-i", 0.5, "-n", 1000, "-p", 20_000)
    row = drive(MAP, *mix, "-t", threads, "--json", "-").row("insert")
    assert row["iterations"] == row["succeeded"] == 10_000


def test_a_run_is_the_same_for_the_same_seed() -> None:
    def succeeded(seed: int) -> list[int]:
        document = drive(MAP, *MIXED, "-t", 1, "--seed", seed, "--json", "-").json
        return [row["succeeded"] for row in document["benchmarks"]]

    assert succeeded(1) == succeeded(1) != succeeded(2)


def test_rows_carry_throughput_latencies_and_series() -> None:
    ran = drive(MAP, *MIXED, "--latency_sampling", 1, "--sampling_ms", 2, "--json", "-")
    for kind in (*KINDS, "all"):
        row = ran.row(kind)
        histogram = HdrHistogram.decode(row["assay"]["histograms"]["latency"])
        assert histogram.get_total_count() == row["iterations"] == row["latencies"]
        assert row["latency_min"] <= row["p50"] <= row["p99"] <= row["max"]
        assert row["items_per_second"] == pytest.approx(1e9 / row["real_time"])
        series = row["assay"]["series"]["throughput"]
        assert series["units"] == ["s", "1/s"]
        steps = zip([0, *series["t"][:-1]], series["t"], series["v"], strict=True)
        done = sum((end - begin) * v for begin, end, v in steps)
        assert done == pytest.approx(row["iterations"])
    index = ran.json["context"]["assay"]["index"]
    assert index["driver_ns_per_operation"] > 0
    assert index["ratios"] == dict(zip(KINDS, SHARES, strict=True))
    assert index["loaded_records"] == 2000


def test_counters_are_there_or_the_reason_why_not() -> None:
    row = drive(MAP, "-n", 10, "-p", 1000, "--json", "-").row("all")
    why = " ".join(row["assay"].get("unavailable", []))
    for name in ("cache-misses", "dram-read-bytes", "pmem-write-bytes"):
        assert name in row or f"{name}: " in why
    off = drive(MAP, "-n", 10, "-p", 1000, "--pcm", "false", "--json", "-").row("all")
    assert "unavailable" not in off["assay"]


def test_an_open_loop_runs_at_its_rate() -> None:
    ran = drive(MAP, "-n", 1000, "-p", 400, "--rate", 2000, "-t", 2, "--json", "-")
    assert ran.code == 0, ran.err
    assert ran.json["context"]["assay"]["index"]["run_s"] > 0.19
    assert ran.row("all")["latencies"] == 400


def test_time_mode_ends_by_time_and_not_by_operations() -> None:
    for_hours = ("-p", 10**12)
    ran = drive(MAP, "-n", 1000, *for_hours, "--mode", "time", "--seconds", 0.2, "--json", "-")
    assert ran.code == 0, ran.err
    assert ran.json["context"]["assay"]["index"]["run_s"] >= 0.2
    assert 0 < ran.row("read")["iterations"] < 10**12


def test_keys_may_come_from_a_file(tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.write_text("".join(f"word-{i * i}\n" for i in range(500)))
    options = ("--key_file", words, "-p", 2000, "-r", 0.6, "-u", 0.2, "-s", 0.2, "--verify")
    ran = drive(MAP, *options, "--distribution", "sequential", "--json", "-")
    assert ran.code == 0, ran.err
    assert ran.json["context"]["assay"]["index"]["verified_records"] == 500


def test_assay_reads_and_compares_results(tmp_path: Path, assay: Callable[..., Done]) -> None:
    for name in ("a", "b"):
        out = tmp_path / f"{name}.json"
        ran = drive(MAP, *MIXED, "--latency_sampling", 1, "--label", "map", "--json", out)
        assert ran.code == 0, ran.err
    record = read(tmp_path / "a.json")
    assert [s.benchmark for s in record.samples] == [f"map/{k}" for k in (*KINDS, "all")]
    assert record.samples[0].series["throughput"]
    assert record.samples[0].values["p99.9"]
    compared = assay("compare", tmp_path / "a.json", tmp_path / "b.json")
    assert compared.code == 0, compared.err
    assert "map/read_modify_write" in compared.out
    page = tmp_path / "page.html"
    reported = assay("report", tmp_path / "a.json", "-o", page)
    assert reported.code == 0, reported.err
    assert "map/all" in page.read_text()


def test_a_crash_is_a_failure_in_the_record(tmp_path: Path) -> None:
    out = tmp_path / "r.json"
    drive(MAP, *MIXED, "--json", out, fault="segfault")
    record = read(out)
    assert "Segmentation fault" in record.failures[0].what
    assert record.samples


def test_logs_are_those_of_hdrhistogram(tmp_path: Path) -> None:
    ran = drive(MAP, *MIXED, "--latency_sampling", 1, "--hdr_log", tmp_path / "run")
    assert ran.code == 0, ran.err
    log = tmp_path / "run.hlog"
    reader = HistogramLogReader(str(log), HdrHistogram(1, 3_600_000_000_000, 3))
    counts = []
    while (interval := reader.get_next_interval_histogram()) is not None:
        counts.append(interval.get_total_count())
    assert counts == [share * 20_000 for share in SHARES]
    assert re.findall(r"^Tag=(\w+),", log.read_text(), re.MULTILINE) == list(KINDS)


def test_two_hundred_threads_lose_no_latency() -> None:
    ran = drive(MAP, "-n", 100, "-p", 4000, "-t", 200, "--latency_sampling", 1, "--json", "-")
    assert ran.code == 0, ran.err
    assert ran.row("read")["latencies"] == 4000


def shape(text: str) -> list[str]:
    """A report without what differs from run to run: figures, facts of the host, samples."""
    lines: list[str] = []
    for line in text.splitlines():
        fact = re.match(r"\s+(Time|CPU|CPU Cache|Kernel|Target): ", line)
        plain = (line.split(":")[0] if fact else line).replace(" " * 8, "\t")
        plain = re.sub(r"(?<![\w#])-?\d+(\.\d+)?(e[-+]\d+)?\b", "0", plain).rstrip(" ")
        if not (lines and plain.strip() == "0" and lines[-1] == plain):
            lines.append(plain)
    return lines


PIBENCH = {
    "stlmap_mixed_2threads.txt": (
        *("-t", 2, "-r", 0.2, "-i", 0.2, "-u", 0.2, "-d", 0.2, "-s", 0.2, "--scan_size", 10),
        *("--sampling_ms", 10),
    ),
    "stlmap_selfsimilar_latency.txt": (
        *("-r", 0.5, "-u", 0.5, "--distribution", "SELFSIMILAR", "--sampling_ms", 10),
        *("--latency_sampling", 0.1),
    ),
}


@pytest.mark.parametrize(("name", "options"), PIBENCH.items())
def test_the_layout_is_pibenchs(name: str, options: tuple[object, ...]) -> None:
    reference = (DATA / "pibench" / name).read_text()
    ran = drive(MAP, "-n", 5000, "-p", 50_000, *options, "--pcm=false", "--report", "pibench")
    assert ran.code == 0, ran.err
    assert shape(ran.out) == shape(reference)
    assert "Key distribution: SELFSIMILAR(0.200000)" in ran.out or "UNIFORM" in ran.out


def test_the_layout_is_that_of_pibenchs_first_version() -> None:
    reference = (DATA / "pibench" / "first_version.txt").read_text()
    metrics = r"PCM Metrics:\n(        .*\n){5}"
    assert re.search(metrics, reference)
    options = ("-r", 0.5, "-u", 0.5, "--distribution", "SELFSIMILAR", "--latency_sampling", 0.1)
    pibench = ("--sampling_ms", 5, "--report", "pibench-v1", "--pcm", "false")
    ran = drive(MAP, "-n", 5000, "-p", 50_000, *options, *pibench)
    assert shape(ran.out) == shape(re.sub(metrics, "", reference))


def test_the_plugins_of_others_load_and_run() -> None:
    """Compiled from the interface's description alone: every function is called and checked."""
    foreign = NATIVE / "tests" / "libforeign_tree.so"
    pool = ("--pool_path", "/tmp/a path that is longer than a short string", "--pool_size", 12345)
    ran = drive(foreign, *MIXED, "-k", 16, "-v", 24, *pool, "--verify", "--json", "-")
    assert ran.code == 0, ran.err
    assert ran.row("all")["iterations"] == 20_000
    other = drive(foreign, *MIXED, "-k", 16, "-v", 23, *pool, "--verify", "--report", "none")
    assert "returned nullptr" in other.err


def test_help_goes_to_standard_output() -> None:
    ran = drive("--help")
    assert (ran.code, ran.err) == (0, "")
    assert "--latency_sampling" in ran.out
    assert "assay|none|pibench|pibench-v1" in ran.out
    assert "\0" not in ran.out


def test_the_text_for_people_says_what_the_driver_costs() -> None:
    ran = drive(MAP, *MIXED, "--latency_sampling", 1, "--verify")
    assert "of which the driver" in ran.out
    assert "verified: it holds the" in ran.out
    assert "p99.9" in ran.out
