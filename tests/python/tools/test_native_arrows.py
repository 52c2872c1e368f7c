"""The arrows between the rooms of `native/` are held, and a forbidden one is seen."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest
from conftest import ROOT

LIBRARY = {
    "assay.hpp": "",
    "base/units.hpp": "",
    "system/clock.hpp": "",
    "measure/latency/pacing.hpp": "",
    "measure/launch/launch.hpp": "",
    "record/json_row.hpp": "",
    "gbench/flags.hpp": "",
    "index/tree_api.hpp": "",
    "index/run/worker.hpp": "",
    "os/harness/case.hpp": "",
    "os/support/io/pipe_ends.hpp": "",
    "testing/temporary_folder.hpp": "",
}


@pytest.fixture
def arrows(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "tools")
    return importlib.import_module("native_arrows")


def tree(folder: Path, files: dict[str, str]) -> Path:
    for name, text in {**LIBRARY, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def broken(arrows: ModuleType, folder: Path, files: dict[str, str]) -> list[str]:
    return list(arrows.broken_includes(arrows.sources(tree(folder, files))))


@pytest.mark.parametrize(
    ("name", "included", "words"),
    [
        ("base/x.hpp", "<assay/system/clock.hpp>", "base may not include system/clock.hpp"),
        ("system/x.cpp", "<assay/measure/latency/pacing.hpp>", "system may not include"),
        ("measure/latency/x.cpp", "<assay/measure/launch/launch.hpp>", "measure/latency may not"),
        ("record/x.cpp", "<assay/gbench/flags.hpp>", "record may not include gbench/flags.hpp"),
        ("index/x.hpp", "<assay/index/run/worker.hpp>", "index may not include index/run"),
        ("os/cases/io/x.cpp", "<assay/record/json_row.hpp>", "os/cases may not include record"),
        ("os/x.cpp", "<assay/testing/temporary_folder.hpp>", "os may not include testing"),
        ("os/x_test.cpp", "<assay/index/tree_api.hpp>", "os: not index/tree_api.hpp"),
        ("system/x.cpp", "<assay/system/clocks.hpp>", "there is no header system/clocks.hpp"),
        ("system/x.cpp", '"clock.hpp"', "write <assay/...>, not 'clock.hpp'"),
        ("garden/x.cpp", "<assay/system/clock.hpp>", "garden/x.cpp is in no room"),
        ("measure/latency/x.cpp", "<benchmark/benchmark.h>", "only in gbench, primitives, restore"),
        ("index/run/x.cpp", "<nlohmann/json.hpp>", "<nlohmann/...> only in"),
        ("os/support/x.cpp", "<CLI/CLI.hpp>", "<CLI/...> only in"),
    ],
)
def test_a_forbidden_include_is_seen(
    arrows: ModuleType, tmp_path: Path, name: str, included: str, words: str
) -> None:
    (line,) = broken(arrows, tmp_path, {name: f"// Why.\n#include {included}\n"})
    assert words in line
    assert f"{name}:2:" in line


@pytest.mark.parametrize(
    ("name", "included"),
    [
        ("system/x.cpp", "<assay/base/units.hpp>"),
        ("index/run/x.cpp", "<assay/index/tree_api.hpp>"),
        ("os/cases/io/x.cpp", "<assay/os/support/io/pipe_ends.hpp>"),
        ("index/x_test.cpp", "<assay/index/run/worker.hpp>"),
        ("record/x_test.cpp", "<assay/testing/temporary_folder.hpp>"),
        ("primitives/x.cpp", "<benchmark/benchmark.h>"),
        ("os/harness/case_list.cpp", '"os_cases.inc"'),
    ],
)
def test_what_is_allowed_is_allowed(
    arrows: ModuleType, tmp_path: Path, name: str, included: str
) -> None:
    assert broken(arrows, tmp_path, {name: f"#include {included}\n"}) == []


def test_a_cycle_of_headers_is_seen(arrows: ModuleType, tmp_path: Path) -> None:
    lines = broken(
        arrows,
        tmp_path,
        {
            "system/a.hpp": "#include <assay/system/b.hpp>\n",
            "system/b.hpp": "#include <assay/system/a.hpp>\n",
        },
    )
    (line,) = lines
    assert "includes itself by way of system/a.hpp -> system/b.hpp -> system/a.hpp" in line


def test_public_headers_include_public_ones(arrows: ModuleType, tmp_path: Path) -> None:
    sources = arrows.sources(tree(tmp_path, {"assay.hpp": "#include <assay/gbench/flags.hpp>\n"}))
    (line,) = arrows.not_closed(["assay.hpp"], sources)
    assert "public, but gbench/flags.hpp is not" in line
    (line,) = arrows.not_closed(["no/such.hpp"], sources)
    assert "no header no/such.hpp" in line
    assert list(arrows.not_closed(["assay.hpp", "gbench/flags.hpp"], sources)) == []


def test_what_only_system_does_is_seen_elsewhere(arrows: ModuleType, tmp_path: Path) -> None:
    text = "prctl(PR_SET_PDEATHSIG, SIGKILL);\n"
    files = {"os/cli/x.cpp": text, "system/x.cpp": text, "os/cli/x_test.cpp": text}
    (line,) = arrows.system_calls_elsewhere(arrows.sources(tree(tmp_path, files)))
    assert "os/cli/x.cpp:1: only native/system ties a child to its parent" in line
