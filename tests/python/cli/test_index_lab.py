"""`assay index`, typed as a user would: real plug-ins, real kills, a real sweep."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from conftest import NATIVE, assay_command

from assay.history import Lab
from assay.record.store.folder import Folder
from assay.workflows.store import catalogue_of

pytestmark = pytest.mark.skipif(
    not (NATIVE / "libexec" / "assay" / "plugins" / "libstlmap.so").exists(),
    reason="the index lab is not built",
)
PLAN = """
plugins = ["dummy", "stlmap"]
threads = [1, 2]
rounds = 26
mixes = { reads = { read = 1.0 }, mixed = { read = 0.5, update = 0.5 } }
[flags]
records = 2_000
operations = 20_000
sampling_ms = 1
latency_sampling = 1
"""


def assay(*arguments: str) -> "subprocess.CompletedProcess[str]":
    env = {**os.environ, "ASSAY_LIBEXEC": str(NATIVE / "libexec" / "assay")}
    command = [*assay_command(), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


def test_pibench_flags_and_report() -> None:
    said = assay("index", "stlmap", "-n", "1000", "-p", "2000", "-r", "0.5", "-i", "0.5",
                 "--report", "pibench")  # fmt: skip
    assert said.returncode == 0, said.stderr
    assert "Insert completed:" in said.stdout


def test_help_names_every_form_and_every_flag() -> None:
    said = assay("index", "--help")
    assert said.returncode == 0
    for word in ("--sweep", "--crash", "--latency_sampling", "--hdr_log", "--pool_path"):
        assert word in said.stdout


def test_bad_input_is_exit_code_2() -> None:
    said = assay("index", "no_such_plugin")
    assert said.returncode == 2
    assert "no_such_plugin" in said.stderr


def test_a_crash_check_with_more_threads_than_keys_is_refused() -> None:
    said = assay("index", "--crash", "1", "stlmap", "-n", "1", "-t", "4")
    assert said.returncode == 2
    assert "--threads 4: more than the 2 keys there are; give more --records" in said.stderr


@pytest.mark.skipif(
    not (NATIVE / "libexec" / "assay" / "plugins" / "liblmdb.so").exists(), reason="no LMDB"
)
def test_crash_is_the_durability_check(tmp_path: Path) -> None:
    result = tmp_path / "crash.json"
    said = assay("index", "--crash", "2", "lmdb", "-n", "200", "--json", str(result))
    assert said.returncode == 0, said.stdout + said.stderr
    assert json.loads(result.read_text())["benchmarks"]
    root = tmp_path / ".assay"
    assert assay("runs", "import", str(result), "--store", str(root)).returncode == 0
    with catalogue_of(Folder.opened(root)) as catalogue:
        (found,) = catalogue.crashes()
        assert [row.lab for row in catalogue.runs()] == [Lab.CRASH]
    assert (found.plugin, found.values["kills"], found.values["lost"]) == ("lmdb", 2, 0)
    assert found.values["real_time"] > 0


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sweep")
    (folder / "sweep.toml").write_text(PLAN)
    said = assay("index", "--sweep", str(folder / "sweep.toml"), "-o", str(folder / "sweep.json"),
                 "--html", str(folder / "sweep.html"), "--quiet",
                 "--store", str(folder / ".assay"))  # fmt: skip
    assert said.returncode == 0, said.stderr
    assert "reads/uniform/8+8" in said.stdout
    return folder


def test_a_sweep_is_a_record_and_a_page(swept: Path) -> None:
    rows = json.loads((swept / "sweep.json").read_text())["benchmarks"]
    names = {row["name"] for row in rows}
    assert {
        "stlmap/mixed/uniform/8+8/threads:2/update",
        "dummy/reads/uniform/8+8/threads:1/all",
    } <= names
    assert sum(row["name"] == "stlmap/reads/uniform/8+8/threads:1/all" for row in rows) == 26
    assert "Throughput: reads/uniform/8+8" in (swept / "sweep.html").read_text()


def test_a_sweep_is_in_the_store_and_can_be_imported(swept: Path) -> None:
    root = swept / ".assay"
    assert assay("runs", "import", str(swept / "sweep.json"), "--store", str(root)).returncode == 0
    with catalogue_of(Folder.opened(root)) as catalogue:
        assert [row.lab for row in catalogue.runs()] == [Lab.INDEX, Lab.INDEX]


@pytest.mark.parametrize("chart", ["threads", "latencies", "over_time"])
def test_each_chart_is_a_picture(swept: Path, chart: str) -> None:
    picture = swept / f"{chart}.svg"
    said = assay("report", str(swept / "sweep.json"), "--chart", chart, "-o", str(picture))
    assert said.returncode == 0, said.stderr
    text = picture.read_text()
    assert "stlmap" in text
    assert "dummy" in text


def told_apart(record: Path) -> str:
    """A copy as of a quiet host, stlmap 10,000 times as slow: no noise of this one hides it."""
    document = json.loads(record.read_text())
    for row in document["benchmarks"]:
        row["assay"].pop("steal", None)  # or a round is dropped
        if row["name"].startswith("stlmap/"):
            times = row["assay"]["samples"]["real_time"]
            row["assay"]["samples"]["real_time"] = [1e4 * time for time in times]
    copy = record.with_name("told_apart.json")
    copy.write_text(json.dumps(document))
    return str(copy)


def test_two_plug_ins_of_a_sweep_are_compared_as_pairs(swept: Path) -> None:
    record, result = told_apart(swept / "sweep.json"), swept / "compared.json"
    said = assay("compare", record, record, "--base-filter", "^dummy/", "--candidate-filter",
                 "^stlmap/", "--filter", "threads:1/all", "--json", str(result))  # fmt: skip
    assert said.returncode == 0, said.stderr
    (reads,) = [
        one
        for one in json.loads(result.read_text())["comparisons"]
        if "reads/" in one["benchmark"] and one["metric"] == "real_time"
    ]
    assert reads["verdict"] == "slower"
    assert reads["rounds"] == 26


def test_a_sweep_takes_no_flags_of_a_run(tmp_path: Path) -> None:
    (tmp_path / "sweep.toml").write_text(PLAN)
    said = assay("index", "--sweep", str(tmp_path / "sweep.toml"), "--records", "5")
    assert said.returncode == 2
    assert "--records" in said.stderr
