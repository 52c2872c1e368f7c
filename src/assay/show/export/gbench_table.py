"""The table of compare.py, equal to the character, for scripts and people used to it."""

from collections.abc import Iterable, Sequence

from assay.compare_py import ComparePyEntry, UTest

_UTEST_SUFFIX = "_pvalue"
# Larger values, which no measurement gives, are written with a power of ten: compare.py would print
# all of their digits.
_LARGEST = 1e60
_HEAD = "{:<{}s}Time             CPU      Time Old      Time New       CPU Old       CPU New"
_RED, _WHITE, _CYAN, _GREEN, _NAME, _WARN, _END = (
    f"\x1b[{code}m" for code in (91, 97, 96, 32, 92, 93, 0)
)


def gbench_table(entries: Sequence[ComparePyEntry], *, alpha: float, colour: bool) -> str:
    """compare.py's whole table, with a newline at its end."""
    width = max([len("Benchmark"), *(len(entry.name) for entry in entries)]) + len(_UTEST_SUFFIX)
    head = _HEAD.format("Benchmark", 12 + width)
    lines = [head, "-" * len(head)]
    for entry in entries:
        lines += _lines(entry, width, alpha)
    text = "\n".join(lines) + "\n"
    return text if colour else _without_colours(text)


def _lines(entry: ComparePyEntry, width: int, alpha: float) -> Iterable[str]:
    for one in entry.measurements:
        yield (
            f"{_NAME}{entry.name:<{width}s}{_END}"
            f"{_shade(one.time)}{_change(one.time)}{_END}{_shade(one.cpu)}{_change(one.cpu)}{_END}"
            f"{_time(one.real_time)}{_time(one.real_time_other)}{_END}"
            f"{_time(one.cpu_time)}{_time(one.cpu_time_other)}"
        )
    if entry.utest is not None:
        yield _utest(entry.name + _UTEST_SUFFIX, entry.utest, width, alpha)


def _change(change: float) -> str:
    return f"{change:+16.4f}" if abs(change) < _LARGEST else f"{change:+16.3g}"


def _time(time: float) -> str:
    return f"{time:14.0f}" if abs(time) < _LARGEST else f"{time:14.3g}"


def _utest(name: str, test: UTest, width: int, alpha: float) -> str:
    words = f"U Test, Repetitions: {test.repetitions} vs {test.repetitions_other}"
    if not test.reliable:
        words += ". WARNING: Results unreliable! 9+ repetitions recommended."
    time, cpu = ((_RED if p >= alpha else _GREEN, p) for p in (test.time_pvalue, test.cpu_pvalue))
    return (
        f"{_NAME}{name:<{width}s}{_END}{time[0]}{time[1]:16.4f}{_END}"
        f"{cpu[0]}{cpu[1]:16.4f}{_END}{_GREEN if test.reliable else _WARN}      {words}"
    )


def _shade(change: float) -> str:
    if change > 0.05:
        return _RED
    return _WHITE if change > -0.07 else _CYAN


def _without_colours(text: str) -> str:
    for code in (_RED, _WHITE, _CYAN, _GREEN, _NAME, _WARN, _END):
        text = text.replace(code, "")
    return text
