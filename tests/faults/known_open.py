"""Faults that do not hold yet for every verb: "group: fault". It must be empty.

Their cells are tried all the same, and may fail. Whoever mends one removes its line.
"""

KNOWN_OPEN: frozenset[str] = frozenset()
