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
    """By how much the host's speed may have changed between measuring two files: 0.12 is 12 %."""

    size: float
    source: str | None = None  # the floor that the drift was measured with; None: it is assumed


class Holm(msgspec.Struct, frozen=True, kw_only=True, tag="holm"):
    """The promise of Holm's procedure: the chance of any false alarm among `family` comparisons is
    at most `alpha`.

    Two files cannot tell a slower program from an hour in which the host was slower. So the promise
    has a condition for them: that no time moved by more than `drift` (decisions 4 and 5).
    """

    family: int
    alpha: float
    drift: Drift | None = None  # None: the sides were measured in rounds


class NothingCanDiffer(msgspec.Struct, frozen=True, tag="nothing-can-differ"):
    """Both sides are one program, so there can be no false alarm."""


Control = Holm | NothingCanDiffer


class MethodName(StrEnum):
    """How an interval was made, or why there is none."""

    ROUNDS = "rounds"
    ROUNDS_OVER_LINKS = "rounds-over-links"  # the sides were linked several times
    EXACT = "exact"  # the metric is a count that was equal in all launches of a side
    EXACT_SO_FAR = "exact-so-far"  # a count was equal in all launches, which are too few to trust
    REPEATED = "repeated"  # counted under fixed conditions: every launch of a side counts the same
    NEARLY_REPEATED = "nearly-repeated"  # as `REPEATED`, but launches of a side differ a tiny bit
    REPEATED_SO_FAR = "repeated-so-far"  # as `REPEATED`, with a change in too few launches
    IDENTITY = "identity"  # no interval is needed: both sides are one program
    NOT_JUDGED = "not-judged"  # no interval can be made; a remark says why


class OneAfterTheOther(msgspec.Struct, frozen=True, tag="one-after-the-other"):
    """The sides were measured one after the other, so the interval is widened by how far times may
    have drifted in between."""

    drift: Drift


Method = MethodName | OneAfterTheOther


class Shortage(StrEnum):
    """What an undecided comparison lacked most to be decided."""

    TIME = "time"
    PRECISION = "precision"  # the effect lies next to the margin's edge
    QUIET_HOST = "quiet host"  # rounds scatter by much more than the margin
