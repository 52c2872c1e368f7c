"""What libassay_loop.so writes, and what strace writes: whole, cut, and hostile."""

import pytest

from assay.errors import LaunchError
from assay.measure.profile.traced.loop_file import Module, Site, parse

WRITTEN = """\
program 1 unknown counted /usr/bin/setarch
program 2 watched counted /home/me/a bench
loop 1
peak 20
count minor_faults 3 0
count cycles 0 2
site allocated 1 8 55aa 7f01
lost 0 0
module 5500 5500 5600 /home/me/a bench
loop 10
peak 66096
site allocated 10 80 55aa 7f01
site freed 10 240
lost 2 16
module 5500 5500 5600 /home/me/a bench
module 7f00 7f00 8000 /lib/x.so
program 3 unknown counted /usr/bin/sh
"""


def test_the_loops_and_where_their_addresses_are() -> None:
    found = parse(WRITTEN)
    assert (found.watched, found.is_counted) == ("watched", True)
    first, last = found.loops
    assert (first.iterations, last.iterations) == (1, 10)
    assert (first.peak, first.counts, first.uncounted) == (20, {"minor_faults": 3}, {"cycles": 2})
    assert first.sites == [Site("allocation", 1, 8, (0x55AA, 0x7F01))]
    assert last.sites == [
        Site("allocation", 10, 80, (0x55AA, 0x7F01)),
        Site("free", 10, 240, ()),
        Site("allocation", 2, 16, ()),
    ]
    assert last.module(0x55AA) == Module(0x5500, 0x5500, 0x5600, "/home/me/a bench")
    assert last.module(0x9000) is None


def test_nothing_written_is_nothing_known() -> None:
    assert parse("").watched == ""


@pytest.mark.parametrize(
    "text",
    [
        "peak 3\n",
        "loop\n",
        "loop 1\nsite moved 1 8\n",
        "loop 1\nsite allocated x 8\n",
        "loop 1\nsite allocated 1 8 not-hex\n",
        "loop 1\ncount a\n",
        "loop 1\nmodule 5500\n",
        "loop 1\nother 1\n",
        "program 2\n",
    ],
)
def test_what_cannot_be_read_is_said(text: str) -> None:
    with pytest.raises(LaunchError, match="cannot be read"):
        parse(text)


def test_no_cut_is_taken_for_a_defect() -> None:
    for end in range(len(WRITTEN)):
        try:
            parse(WRITTEN[:end])
        except LaunchError:
            continue
