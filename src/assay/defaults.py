"""The rules of a judgement when nobody gives others: the one place that has their figures.

    >>> as_percent(MARGIN)
    '2%'

Options, their help, reports and charts read them here. The CMake function passes no margin
unless it is given one.
"""

MARGIN = 0.02  # smallest change worth attention, as a fraction
COUNTS_MARGIN = 0.0005  # of instructions: half of the smallest change that is promised to be found
ALPHA = 0.05  # chance of any false verdict in the whole suite


def as_percent(fraction: float) -> str:
    """As one types it: 0.02 is '2%'."""
    return f"{100 * fraction:g}%"
