"""perf's own words are read as they stand, and hostile names in them stay names."""

import pytest

from assay.measure.profile.sampled.perf_text import RawFrame, parse

SAID = (
    "  410/412  24609.324358636:     200000 \n"
    "\t            1439 _ZN3Wal6appendEv (/home/me/bench)\n"
    "\t    7f00aa [unknown] ([unknown])\n"
    "\n"
    "410/412 24609.324558496:     125000: \n"
    "\tffffffff81389d40 task_work_run ([kernel.kallsyms])\n"
)


def test_samples_with_their_stacks() -> None:
    first, second = parse(SAID)
    assert (first.process, first.time_ns, first.weight) == (410, 24609_324358636, 200000)
    assert first.stack == (
        RawFrame(0x1439, "_ZN3Wal6appendEv", "/home/me/bench"),
        RawFrame(0x7F00AA, "[unknown]", "[unknown]"),
    )
    assert second.weight == 125000
    assert second.stack[0].file == "[kernel.kallsyms]"


@pytest.mark.parametrize(
    ("line", "symbol", "file"),
    [
        ("\t 1439 f (g) (/tmp/a)\n", "f (g)", "/tmp/a"),
        ("\t 1439  (/tmp/a b)\n", "", "/tmp/a b"),
        ("\t 1439 <b>\x1b 7/7 1.000000001: 5 (/tmp/a)\n", "<b>\x1b 7/7 1.000000001: 5", "/tmp/a"),
        (f"\t 1439 {'x' * 10_000} (/tmp/a)\n", "x" * 2_000, "/tmp/a"),
    ],
)  # fmt: skip
def test_names_that_look_like_something_else(line: str, symbol: str, file: str) -> None:
    (only,) = parse("1/1 1.000000000: 5 \n" + line)
    assert only.stack == (RawFrame(0x1439, symbol, file),)


@pytest.mark.parametrize(
    "text",
    ["", "\n\n", "\t1439 f (a)\n", "1/1 1.000000000: 5 \n", "1/1 1.000000000: 5 \nnonsense\n", "x"],
)
def test_what_is_no_sample_is_none(text: str) -> None:
    assert list(parse(text)) == []


def test_a_stack_without_end_ends() -> None:
    (only,) = parse("1/1 1.000000000: 5 \n" + "\t 1439 f (/tmp/a)\n" * 5_000)
    assert len(only.stack) == 512
