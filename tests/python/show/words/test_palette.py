"""Every verdict has a colour, and what happens sometimes has that of what happens always."""

from assay.model import Verdict
from assay.show.words.palette import LIGHT, hue


def test_the_colour_of_each_verdict() -> None:
    assert all(hue(LIGHT, verdict).startswith("#") for verdict in Verdict)
    assert hue(LIGHT, Verdict.SOMETIMES_SLOWER) == hue(LIGHT, Verdict.SLOWER) == LIGHT.slower
    assert hue(LIGHT, Verdict.SOMETIMES_FASTER) == hue(LIGHT, Verdict.FASTER) == LIGHT.faster
