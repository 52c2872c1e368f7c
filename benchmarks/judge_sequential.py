"""compare.py's method on the same executables in the same machine time: for comparison.

All of base, then all of candidate, 10 repetitions each, Mann-Whitney p < 0.05.
Nothing is promised of it. Takes 11 minutes. Run it with nothing else running.
"""

from benchmarks.judge_suite import (
    ALARM_SECONDS,
    POWERS,
    SECONDS_PER_BENCHMARK,
    one_after_the_other,
)

SEQUENTIAL_TRIES = 5


def main() -> bool:
    for number in range(SEQUENTIAL_TRIES):
        flagged, count = one_after_the_other("judge_power_0_copy", ALARM_SECONDS)
        print(f"  one after the other, A/A {number + 1}: {flagged} of {count} flagged", flush=True)
    for power in POWERS:
        flagged, count = one_after_the_other(f"judge_power_{power.percent}", SECONDS_PER_BENCHMARK)
        print(f"  one after the other, {power.percent} %: {flagged} of {count} flagged", flush=True)

    return True
