"""Side effects of the measured programs that whoever reads the result should know.

    oddities = SideEffectsOfTargets()
    oddities.note_launch("build/bench", finished)       # after each launch
    oddities.sentences()     ["build/bench: 30 launches left 140 processes behind; they were ended"]

Each kind is reported once for a target, however many of its launches had it.
"""

import msgspec

from assay.measure.executor import KEPT_BYTES, FinishedProcess
from assay.plurals import count


class _SideEffects(msgspec.Struct):
    """What the launches of one target left behind or printed too much of."""

    leaving: int = 0  # launches that left processes behind
    left: int = 0  # processes left behind by all launches together
    flooding: int = 0  # launches that printed more than is kept
    most_bytes: int = 0  # the most that one launch printed


class SideEffectsOfTargets:
    """Side effects of the programs launched in one session: processes left behind, too much
    output."""

    def __init__(self) -> None:
        self._seen: dict[str, _SideEffects] = {}

    def note_launch(self, target: str, process: FinishedProcess) -> None:
        """Remember what one launch of `target` left behind or printed too much of."""
        if not process.left_behind and not process.printed_too_much:
            return
        seen = self._seen.setdefault(target, _SideEffects())
        seen.leaving += process.left_behind > 0
        seen.left += process.left_behind
        seen.flooding += process.printed_too_much
        seen.most_bytes = max(seen.most_bytes, process.printed_bytes)

    def sentences(self) -> list[str]:
        """A sentence for each target and kind of side effect; none if there were no side
        effects."""
        lines = []
        for target, seen in self._seen.items():
            if seen.left:
                what = f"{count(seen.leaving, 'launch')} left {count(seen.left, 'process')} behind"
                lines.append(f"{target}: {what}; they were ended")
            if seen.flooding:
                printed = f"{seen.most_bytes / 1e6:,.0f} MB"
                what = f"{count(seen.flooding, 'launch')} printed up to {printed}"
                lines.append(f"{target}: {what}; the last {KEPT_BYTES >> 20} MiB were kept")
        return lines
