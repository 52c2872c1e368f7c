"""A against a byte-identical copy, 20 suites at margin 0: any verdict is a false alarm.

Takes 8 minutes. Run it with nothing else running.
"""

from benchmarks.judge_suite import ALARM_SECONDS, compare
from benchmarks.tools import promised

ALARM_TRIES = 20


def main() -> bool:
    alarms = 0
    for number in range(ALARM_TRIES):
        rows = compare("judge_power_0_copy", "0%", ALARM_SECONDS, seed=number)
        flagged = [
            f"{r['benchmark']} {r['change']:+.2%}"
            for r in rows
            if r["verdict"] in ("slower", "faster")
        ]
        alarms += bool(flagged)
        print(f"  A/A {number + 1}: flagged {flagged or 'none'} of {len(rows)}", flush=True)
    return promised("A/A suites with an alarm", alarms / ALARM_TRIES, 0.05, f"of {ALARM_TRIES}")
