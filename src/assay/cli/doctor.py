"""assay doctor: what on this host disturbs measuring, and what to do about it."""


def doctor() -> int:
    """Look at this host: governor, turbo, SMT, ASLR, load, steal, counters, BPF."""
    from assay.measure.host.checks import run_checks
    from assay.show.terminal.doctor import print_checks

    print_checks([(check.name, check.status, check.found, check.advice) for check in run_checks()])
    return 0
