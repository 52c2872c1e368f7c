"""Prints the result of a search for a commit."""

import time

from rich.text import Text

from assay.bisection import BisectResult
from assay.show.terminal.console import output_console
from assay.show.terminal.text_table import TextCell, TextColumn, print_table
from assay.show.words import format
from assay.show.words.bisect import changes, headline, next_line, other_answers


def print_bisect(result: BisectResult) -> None:
    """Print the answer, then the commits that were measured, then what to do next."""
    console = output_console()
    console.print(Text(headline(result), "bold"))
    rows = [
        [
            TextCell(one.commit.short_hash),
            TextCell(time.strftime("%Y-%m-%d", time.gmtime(one.commit.time_s))),
            TextCell("" if one.change is None else format.change(one.change)),
            TextCell(str(one.rounds)),
            TextCell(
                format.name(f"{one.commit.subject}{f' ({one.why_not})' if one.why_not else ''}")
            ),
        ]
        for one in result.measured
    ]
    columns = [
        TextColumn("commit"),
        TextColumn("date"),
        TextColumn("against GOOD", right=True),
        TextColumn("rounds", right=True),
        TextColumn("subject"),
    ]
    print_table(console, columns, rows)
    for line in (*changes(result), other_answers(result), next_line(result)):
        if line:
            console.print(Text(line))
    if result.interrupted_by:
        console.print("interrupted: the same command goes on from here", style="yellow")
