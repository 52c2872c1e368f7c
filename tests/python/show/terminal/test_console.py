"""Where results are printed: a pipe gets lines whole."""

import pytest

from assay.model import Failure
from assay.show.terminal.console import output_console, print_failures
from assay.show.terminal.text_table import TextCell, TextColumn, print_table


def test_a_pipe_gets_messages_and_names_in_one_piece(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")  # what a terminal elsewhere exported
    console = output_console()
    what = f"/a/folder{'/deeper' * 20}/program has a malloc of its own"
    print_failures(console, [Failure(benchmark="cmd:program", what=what)])
    name = f"BM_{'long' * 50}"
    print_table(
        console, [TextColumn("benchmark"), TextColumn("time")], [[TextCell(name), TextCell("1 ns")]]
    )
    told, _, row = capsys.readouterr().out.splitlines()
    assert told == f"failed cmd:program: {what}"
    assert row == f"{name}  1 ns"
