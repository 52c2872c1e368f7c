"""The default margins and error rate of a judgement: no other module writes these numbers.

    >>> as_percent(MARGIN)
    '2%'

Options, their help, reports and charts read them here. The CMake function passes no margin
unless it is given one.
"""

MARGIN = 0.02  # smallest change worth attention, as a fraction
# The margin for counts of instructions: a change of twice as much, 0.1 %, is promised to be found
# (decision 39).
COUNTS_MARGIN = 0.0005
ALPHA = 0.05  # chance of any false verdict in the whole suite


def as_percent(fraction: float) -> str:
    """A fraction as it is typed on the command line: 0.02 is '2%'."""
    return f"{100 * fraction:g}%"
