"""Prints the result of `assay trust`: its first sentence, the table, then the rest."""

from rich.console import Console
from rich.text import Text

from assay.show.terminal.console import print_failures
from assay.show.terminal.text_table import TextCell, TextColumn, print_table
from assay.show.words import trust as words
from assay.trust import Trust


def print_trust(console: Console, trust: Trust) -> None:
    """Print the whole result of `assay trust`."""
    console.print(Text(words.headline(trust), style="bold"))
    if trust.tries:
        first, *others = words.TITLES
        columns = [TextColumn(first), *(TextColumn(title, right=True) for title in others)]
        rows = [[TextCell(text) for text in words.row(one)] for one in trust.tries]
        print_table(console, columns, rows)
    for line in words.sentences(trust):
        console.print(Text(line))
    print_failures(console, trust.failures)
    for line in words.how_obtained(trust):
        console.print(Text(f"  {line}", "dim"))
    if trust.interrupted:
        console.print("interrupted: this is what was known until then", style="yellow")
