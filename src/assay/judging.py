"""How a judgement was made, as values. `show.words.judging` says each of them in words.

    control = Holm(family=16, alpha=0.05)          what is promised about false alarms
    control = Holm(family=16, alpha=0.05, drift=Drift(0.12))

No verdict depends on how one of them is worded.
"""

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
