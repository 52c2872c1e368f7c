"""What several stages miss is said once."""

import pytest
from explanations import explained
from msgspec.structs import replace

from assay.judge.attribution.findings import findings
from assay.show.terminal.why import print_why


def test_the_same_lack_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    one = explained()
    assert one.work is not None
    assert one.code is not None
    lack = "the base has no debug information: build it with -g"
    both = replace(
        one,
        work=replace(one.work, notes=(f"{lack} for lines and inlined code",)),
        code=replace(one.code, notes=(f"{lack} for lines", "another lack")),
    )
    print_why([findings(both)], only=((), ()), failures=[], unavailable=[], interrupted=False)
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert [line for line in lines if "lack" in line or "debug" in line] == [
        f"{lack} for lines and inlined code",
        "another lack",
    ]
