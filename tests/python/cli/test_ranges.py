"""Options that are refused say what may be given, and none is passed by without a word."""

from pathlib import Path

import pytest
from records import one_sided, two_sided

from assay.cli import invoke
from assay.record.writer import write

TIMES = ("1e300", "inf", "1e308", "0", "-1", "1e9")
OPTIONS = (("run", "--timeout"), ("compare", "--budget"), ("run", "--min-time"))


@pytest.mark.parametrize("text", TIMES)
@pytest.mark.parametrize(("verb", "option"), OPTIONS)
def test_a_time_beyond_the_range_is_told_the_range(
    verb: str, option: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    targets = ["cmd:true"] * (2 if verb == "compare" else 1)
    assert invoke([verb, *targets, f"{option}={text}", "--no-store"]) == 2
    told = capsys.readouterr().err
    assert "more than 0 s, and less than 1,000,000,000 s" in told
    assert text in told


@pytest.mark.parametrize("words", [["a.json", "b.json"], ["both.json"]])
@pytest.mark.parametrize("more", [[], ["--json", "c.json"], ["--format", "gbench"]])
def test_a_record_of_what_is_recorded_is_refused(
    words: list[str],
    more: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, record in (("a", one_sided()), ("b", one_sided()), ("both", two_sided())):
        write(record, Path(f"{name}.json"))
    assert invoke(["compare", *words, *more, "-o", "kept.json"]) == 2
    assert "-o kept.json: keeps what is measured" in capsys.readouterr().err
    assert not Path("kept.json").exists()
    assert not Path("c.json").exists()
