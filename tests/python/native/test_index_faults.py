"""A plug-in that misbehaves costs its run: a message, an exit code, and what was done kept."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from conftest import NATIVE
from index_driver import DRIVER, MAP, MIXED, Ran, drive
from patience import PATIENCE_S

WRONG_PLUGIN = {
    "segfault": "ended by signal 11 (Segmentation fault) while running",
    "throw": "the plug-in threw while running: the page is gone",
    "throw_number": "threw while running: something that is no std::exception",
    "exit": "ended the process with exit code 0 while running",
    "hang": "made no progress for 0.5 s while running",
    "null": "create_tree returned nullptr",
    "throw_at_once": "create_tree threw: not today",
    "throw_in_insert": "threw while loading: no room",
    "refuse_insert": "insert failed while loading",
    "scan_too_many": "scan returned 21 records, 20 were asked for",
    "scan_negative": "scan returned -1 records",
    "scan_unordered": "scan gave records out of order: of 20 from key ",
    "scan_values_alone": "the plug-in gives values without their keys",
    "segfault_in_destructor": "ended by signal 11 (Segmentation fault) while closing the tree",
}
ONLY_SEEN_BY_VERIFYING = {
    "scan_skips": "",
    "scan_too_few": "scans meet",
    "scan_unordered": "which is below the one before, ",
    "torn_value": "",
    "wrong_value": "value",
    "lose_insert": "a key that was written is not found",
    "lose_update": "older value than was written last",
    "lose_remove": "remove",
    "find_too_much": "",
}


@pytest.mark.parametrize(("fault", "message"), WRONG_PLUGIN.items())
def test_a_plugin_that_misbehaves(fault: str, message: str) -> None:
    ran = drive(MAP, *MIXED, "--timeout", 0.5, "--json", "-", fault=fault)
    assert ran.code == 3, ran.err
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert ran.json["context"]["assay"]["interrupted"] is True
    assert message in ran.json["context"]["assay"]["failures"][0]["what"]


@pytest.mark.parametrize(("fault", "message"), ONLY_SEEN_BY_VERIFYING.items())
def test_a_structure_that_is_wrong(fault: str, message: str) -> None:
    ran = drive(MAP, *MIXED, "--verify", "--report", "none", fault=fault)
    assert ran.code == 3
    assert message in ran.err


def test_a_structure_that_is_right() -> None:
    for threads in (1, 2, 4):
        ran = drive(MAP, *MIXED, "-t", threads, "--verify", "--json", "-")
        assert ran.code == 0, ran.err
        assert ran.json["context"]["assay"]["index"]["verified_records"] > 2000


def test_what_was_done_before_a_crash_is_kept() -> None:
    ran = drive(MAP, *MIXED, "--latency_sampling", 1, "--json", "-", fault="segfault")
    everything = ran.row("all")
    assert 100 < everything["iterations"] < 20_000
    assert everything["real_time"] > 0
    assert everything["p99"] > 0
    assert everything["assay"]["histograms"]["latency"]
    assert sum(r["iterations"] for r in ran.json["benchmarks"][:-1]) == everything["iterations"]


def test_what_a_plugin_prints_is_not_among_the_results() -> None:
    ran = drive(MAP, "-n", 10, "-p", 10, "--json", "-", fault="print")
    assert ran.code == 0
    assert ran.row("all")["iterations"] == 10


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["/etc/passwd"], "cannot be loaded: invalid ELF header"),
        ([NATIVE / "tests" / "libno_create_tree.so"], "has no create_tree"),
        ([NATIVE / "tests" / "libmangled_tree.so"], 'has create_tree, but not as extern "C"'),
        ([NATIVE / "tests" / "libextended_tree.so"], "bulk_load, find, insert, update, remove"),
        ([NATIVE / "tests" / "libneedy_tree.so"], "LD_PRELOAD=LIBRARY.so assay index"),
        (["no_such_plugin"], "no such plug-in and no such file"),
        ([MAP, "-r", "0.5"], "the ratios sum to 0.5, not to 1"),
        ([MAP, "-k", "2"], "keys of 2 bytes are too few: 65536 for 1000000"),
        ([MAP, "--pool_path", "/proc/pool"], "/proc: cannot be written"),
        ([MAP, "--json", "/nonexistent/r.json"], "cannot be written"),
        ([MAP, "--key_file", "/nonexistent/keys"], "cannot be read"),
        ([MAP, "-k", "1", "-n", "200", "-m", "time", "-r", "0", "-i", "1"], "no keys are left"),
    ],
)
def test_bad_input(arguments: list[object], message: str) -> None:
    ran = drive(*arguments, "--report", "none")
    assert ran.code == 2
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_a_plugin_that_needs_openmp_has_threads_with_numbers() -> None:
    ran = drive(NATIVE / "tests" / "libopenmp_tree.so", "-n", 20_000, "-p", 20_000, "-t", 4)
    assert ran.code == 0, ran.err


def test_a_plugin_with_longer_options_is_run_and_told() -> None:
    plugin = NATIVE / "tests" / "liblonger_tree.so"
    ran = drive(plugin, "-n", 100, "-p", 100, "--json", "-")
    assert ran.code == 0
    assert "note: create_tree read beyond the 64 bytes of PiBench's tree_options_t" in ran.err
    assert ran.json["context"]["assay"]["index"]["plugin_warning"].startswith("create_tree read")
    failed = drive(plugin, "-n", 100, "-p", 100, "--report", "none", fault="abort")
    assert failed.code == 3
    assert "while loading; create_tree read beyond" in failed.err
    assert "(get_size), which are never called" in failed.err


@pytest.mark.parametrize("order", ["signed little-endian numbers", "signed big-endian numbers"])
def test_a_structure_that_takes_keys_for_numbers(order: str) -> None:
    ran = drive(MAP, *MIXED, "--verify", "--json", "-", fault=order)
    assert ran.code == 0, ran.err
    assert ran.json["context"]["assay"]["index"]["scan_order"] == order


def test_a_full_disk_is_said_to_be_full(tmp_path: Path) -> None:
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(tmp_path)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("may not mount here")
    try:
        pool = tmp_path / "pool"
        ran = drive(MAP, "--pool_path", pool, "--report", "none", fault="write_to_pool")
        too_large = drive(MAP, "--pool_path", tmp_path / "new", "--pool_size", 1 << 30)
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)
    assert (ran.code, too_large.code) == (2, 2)
    assert "the disk is full" in ran.err
    assert "a pool of 1073741824 was asked for" in too_large.err


def interrupted(after_s: float, *signals: signal.Signals) -> Ran:
    command = [str(DRIVER), MAP, "-m", "time", "--seconds", "30", "-n", "1000", "--json", "-"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    time.sleep(after_s)
    for one in signals:
        os.killpg(process.pid, one)
    out, err = process.communicate(timeout=PATIENCE_S)
    return Ran(process.returncode, out, err)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_ends_the_run_with_its_results(number: signal.Signals) -> None:
    """SIGTERM gave 130 as Ctrl-C does, and SIGHUP ended it raw."""
    ran = interrupted(1.0, number)
    assert ran.code == 128 + number
    assert ran.json["context"]["assay"]["interrupted"] is True
    assert ran.row("read")["iterations"] > 1000
    assert ran.json["context"]["assay"]["index"]["run_s"] < 20


def test_the_plugin_does_not_outlive_its_supervisor(tmp_path: Path) -> None:
    command = [str(DRIVER), MAP, "-m", "time", "--seconds", "3600", "-n", "1000"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    until = time.monotonic() + PATIENCE_S
    while not children.read_text().split() and time.monotonic() < until:
        time.sleep(0.02)
    time.sleep(0.2)
    child = Path("/proc") / children.read_text().split()[0] / "stat"
    process.kill()
    process.wait()
    while child.exists() and ") Z " not in child.read_text() and time.monotonic() < until:
        time.sleep(0.02)
    assert not child.exists() or ") Z " in child.read_text()


def test_a_file_of_results_is_whole_or_absent(tmp_path: Path) -> None:
    out = tmp_path / "r.json"
    ran = drive(MAP, *MIXED, "--json", out, fault="segfault")
    assert ran.code == 3
    assert json.loads(out.read_text())["benchmarks"]
    assert [p.name for p in tmp_path.iterdir()] == ["r.json"]
