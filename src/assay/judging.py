"""How a judgement was made, as values. `show.words.judging` says each of them in words.

    control = Holm(family=16, alpha=0.05)          what is promised about false alarms
    control = Holm(family=16, alpha=0.05, drift=Drift(0.12))
    method = MethodName.ROUNDS                     how an interval was made
    method = OneAfterTheOther(Drift(0.12))

No verdict depends on how one of them is worded.
"""

from enum import StrEnum

import msgspec


class Drift(msgspec.Struct, frozen=True):
    """By how much times may have moved between two files: 0.12 is 12 %."""

    size: float
    source: str | None = None  # the floor it was measured with; None: it is assumed


class Holm(msgspec.Struct, frozen=True, kw_only=True, tag="holm"):
    """The chance of any false alarm among `family` comparisons is at most `alpha`.

    Two files cannot tell a slower program from an hour in which the host was slower. So the promise
    has a condition for them: that no time moved by more than `drift` (decisions 4 and 5).
    """

    family: int
    alpha: float
    drift: Drift | None = None  # None: no side was measured after the other


class NothingCanDiffer(msgspec.Struct, frozen=True, tag="nothing-can-differ"):
    """Both sides are one program, so there can be no false alarm."""


Control = Holm | NothingCanDiffer


class MethodName(StrEnum):
    """How an interval was made, or why there is none."""

    ROUNDS = "rounds"
    ROUNDS_OVER_LINKS = "rounds-over-links"  # the sides were linked several times
    EXACT = "exact"  # a count that does not vary
    EXACT_SO_FAR = "exact-so-far"  # it did not vary, in too few launches
    REPEATED = "repeated"  # counted with everything held still: every launch counts the same
    NEARLY_REPEATED = "nearly-repeated"  # the launches of a side differ, by next to nothing
    REPEATED_SO_FAR = "repeated-so-far"  # a change in too few launches
    IDENTITY = "identity"  # both sides are one program
    NOT_JUDGED = "not-judged"


class OneAfterTheOther(msgspec.Struct, frozen=True, tag="one-after-the-other"):
    """The sides were measured one after the other: the interval allows for this drift."""

    drift: Drift


Method = MethodName | OneAfterTheOther


class Shortage(StrEnum):
    """What an undecided comparison lacked most."""

    TIME = "time"
    PRECISION = "precision"  # the effect lies next to the margin's edge
    QUIET_HOST = "quiet host"  # rounds scatter by much more than the margin
