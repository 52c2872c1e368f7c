"""compare.py's method on the same executables in the same machine time: for comparison.

All of base, then all of candidate, 10 repetitions each, Mann-Whitney p < 0.05.
Nothing is promised of it. Takes 5 minutes. Run it with nothing else running.
"""

from benchmarks.judge_suite import (
    ALARM_SECONDS,
    POWERS,
    one_after_the_other,
)

SEQUENTIAL_TRIES = 5
USED_SECONDS = 1.5  # per benchmark: about what `assay compare` takes to its verdicts


def main() -> bool:
    for number in range(SEQUENTIAL_TRIES):
        flagged, count = one_after_the_other("judge_power_0_copy", ALARM_SECONDS)
        print(f"  one after the other, A/A {number + 1}: {flagged} of {count} flagged", flush=True)
    for power in POWERS:
        flagged, count = one_after_the_other(f"judge_power_{power.percent}", USED_SECONDS)
        print(f"  one after the other, {power.percent} %: {flagged} of {count} flagged", flush=True)

    return True
