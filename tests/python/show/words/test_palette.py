"""Every verdict has a colour, and what happens sometimes has that of what happens always."""

from assay.model import Verdict
from assay.show.words.palette import LIGHT, TERMINAL, hue


def test_the_colour_of_each_verdict() -> None:
    assert all(hue(LIGHT, verdict).startswith("#") for verdict in Verdict)
    assert hue(LIGHT, Verdict.SOMETIMES_SLOWER) == hue(LIGHT, Verdict.SLOWER) == LIGHT.slower
    assert hue(LIGHT, Verdict.SOMETIMES_FASTER) == hue(LIGHT, Verdict.FASTER) == LIGHT.faster


def test_a_terminal_shows_changes_bold_and_what_is_no_change_plain() -> None:
    assert TERMINAL == {
        Verdict.SLOWER: "bold red",
        Verdict.FASTER: "bold blue",
        Verdict.DIFFERENT: "bold magenta",
        Verdict.SAME: "dim",
        Verdict.UNDECIDED: "yellow",
        Verdict.SOMETIMES_SLOWER: "red",
        Verdict.SOMETIMES_FASTER: "blue",
        Verdict.PLACEMENT: "cyan",
    }
