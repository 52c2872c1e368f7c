"""./dev bench [NAME...]: run these benches, or all; each prints what it measured.

Run with nothing else running: the machine's noise is part of every figure.
"""

import importlib
import sys

BENCHES = {
    "startup": "how soon `assay --help` answers, of a clone and of the wheel (20 s)",
    "wheel_roots": "a wheel in bare Debians: every verb, seconds, leavings (an hour; ASSAY_WHEEL)",
    "launch_cost": "what a launch costs beside the program itself (30 s)",
    "compare_speed": "comparing files of 1,000 to 100,000 benchmarks",
    "import_speed": "a million samples from files of other tools (2 minutes)",
    "aarch64_emulated": "the wheel for aarch64 under qemu: verdicts, counts, a kill (20 minutes)",
    "allocation_cost": "what counting allocations costs a malloc/free pair",
    "multiview_limits": "1,000 files of 300 benchmarks beside one",
    "latency_cost": "what recording a latency costs, and timing one",
    "latency_exactness": "quantiles beside exact ones, of a thousand million values (20 s)",
    "index_driver": "what driving an index costs (PiBench beside it: its own --pibench)",
    "restore_scaling": "the restore tree to 100 million files (3 to 9 minutes, 5 GB; its --bareos)",
    "false_alarms": "A against an identical copy of A, ten times",
    "os_repeatability": "how well the OS lab's figures repeat (15 minutes)",
    "store_limits": "a store of 100 million samples (10 minutes, 1 GB)",
    "store_sharing": "1,000 runs pushed and pulled by each kind of remote (1 minute)",
    "store_packed": "1,000 and 10,000 runs before and after `assay runs compact` (10 minutes)",
    "page_limits": "pages of a million points in a browser (15 minutes; ASSAY_PAGES_AT keeps them)",
    "store_kills": "processes that store are killed 200 times (6 minutes)",
    "mutations": "our own files damaged, 10,000 of each kind: is any a defect (30 minutes)",
    "judge_power": "how small a slowdown is found (7 minutes)",
    "dear_setup": "a suite in which two of twenty set up for half a second (20 minutes)",
    "judge_sessions": "1,000 simulated sessions: is a verdict taken back (3 minutes)",
    "judge_tails": "what share and size of slow launches is seen in how many rounds (1 minute)",
    "judge_attacks": "noise with memory, runs and scatter: are there more than 5 % false suites",
    "judge_strength": "is a slowdown caught that would have been caught (5 minutes)",
    "judge_alarms": "A against a copy, 20 suites at margin 0 (8 minutes)",
    "bisect_simulation": "1,000 histories: is the commit found that made them slower (5 minutes)",
    "bisect_changes_simulation": "300 histories of one change or more, and weather (6 minutes)",
    "why_injections": "80 injected slowdowns: does `assay why` name the function (5 minutes)",
    "why_coverage": "how often the intervals of `assay why`'s times hold the truth (2 minutes)",
    "why_resources": "injected allocations and system calls: are they named (3 minutes)",
    "instruction_gate": "1,000 A/A gates in counts of instructions, 100 of 0.1 % more (40 minutes)",
    "judge_sequential": "compare.py's method on the same executables (6 minutes)",
    "change_points": "change points: false ones, delays, alerts, drifts, speed (5 minutes)",
    "history_present": "does the interval of a history's now hold the level now (5 minutes)",
    "change_compared": "change points beside Otava and Perfherder's t-test (10 minutes)",
}


def main(names: list[str]) -> int:
    """Run the benches named; the exit code is 1 when a promise is broken."""
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        listed = "\n".join(f"  {name:18} {what}" for name, what in BENCHES.items())
        print(f"error: no bench {unknown[0]!r}; there is\n{listed}", file=sys.stderr)
        return 2
    kept = [_run(name) for name in names or BENCHES]
    return 0 if all(kept) else 1


def _run(name: str) -> bool:
    print(f"\n== {name}: {BENCHES[name]}")
    kept: bool = importlib.import_module(f"benchmarks.{name}").main()
    return kept


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
