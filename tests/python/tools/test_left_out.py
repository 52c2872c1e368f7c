"""What was not built or not run is named, and in CI only what the list permits passes."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from conftest import ROOT

CTEST = """\
<testsuite>
  <testcase name="Ring.Turns" classname="Ring.Turns" status="run"/>
  <testcase name="Perf.Counts" classname="Perf.Counts" status="notrun">
    <skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
    <system-out>perf_test.cpp:78: Skipped
no counters here
[  SKIPPED ] Perf.Counts</system-out>
  </testcase>
  <testcase name="Fork.Survives" classname="Fork.Survives" status="disabled">
    <disabled message="Disabled"/>
  </testcase>
</testsuite>
"""
PYTEST = """\
<testsuites><testsuite>
  <testcase classname="cli.test_a" name="test_mounts">
    <skipped type="pytest.skip" message="may not mount here">x</skipped>
  </testcase>
  <testcase classname="cli.test_a" name="test_known"><skipped type="pytest.xfail"/></testcase>
</testsuite></testsuites>
"""


@pytest.fixture
def left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("left_out", ROOT / "tools" / "left_out.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "left_out", module)
    spec.loader.exec_module(module)
    monkeypatch.chdir(tmp_path)
    put("build/release/left_out.txt", "the plug-in lmdb: lmdb.h not found\n")
    put("build/release/tests.xml", CTEST)
    put("build/python/tests.xml", PYTEST)
    put("tools/dev/permitted_skips.txt", "# nothing\n")
    return module


def put(name: str, text: str) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_each_is_named_with_its_reason(
    left_out: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert left_out.main(["release", "python"], is_ci=False) == 0
    told = capsys.readouterr().out
    assert "(release): the plug-in lmdb: lmdb.h not found" in told
    assert "(release): Perf.Counts: no counters here" in told
    assert "(release): Fork.Survives: disabled" in told
    assert "(python): cli.test_a::test_mounts: may not mount here" in told
    assert "left out: 4 in release and python, 4 of them not permitted" in told
    assert "test_known" not in told


def test_in_ci_what_is_not_permitted_fails(
    left_out: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    put("tools/dev/permitted_skips.txt", "release | * | it is small\n")
    assert left_out.main(["release"], is_ci=True) == 0
    assert left_out.main(["release", "python"], is_ci=True) == 1
    assert "may not mount here [not permitted in CI]" in capsys.readouterr().out


def test_a_permission_is_for_one_place(left_out: ModuleType) -> None:
    put(
        "tools/dev/permitted_skips.txt",
        "[at]san | Perf.*: no counters* | no counters below a sanitizer\n",
    )
    assert left_out.main(["release"], is_ci=True) == 1
    put("tools/dev/permitted_skips.txt", "release | Perf.*: another reason | no counters\n")
    assert left_out.main(["release"], is_ci=True) == 1


def test_a_line_without_a_reason_is_no_permission(left_out: ModuleType) -> None:
    put("tools/dev/permitted_skips.txt", "release | *\n")
    with pytest.raises(SystemExit, match=r"where \| what \| why"):
        left_out.main(["release"], is_ci=True)


def test_missing_results_are_no_results(left_out: ModuleType) -> None:
    Path("build/release/tests.xml").unlink()
    with pytest.raises(FileNotFoundError):
        left_out.main(["release"], is_ci=False)
