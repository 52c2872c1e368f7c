"""The command on a page without an answer can be typed, whatever the benchmark is called."""

import re
import shlex

import pytest
from records import HOSTILE

from assay.answers import WhyQuestion
from assay.show.page.store.why import command, expression, href

RUNS = "20260921-131320.250000-a1b2", "20260921-131321.250000-a1b2"


def test_the_command_names_both_runs_and_the_benchmark() -> None:
    asked = WhyQuestion("BM_copy<int>/8", *RUNS)
    typed = command(asked, "--store 'my store'")
    assert shlex.split(typed) == [
        *("assay", "why", f"run:{RUNS[0]}", f"run:{RUNS[1]}"),
        *("--filter", "^BM_copy<int>/8$", "--store", "my store"),
    ]
    of_one = command(WhyQuestion("A", RUNS[0], RUNS[0]))
    assert of_one == f"assay why run:{RUNS[0]} --filter '^A$'"


@pytest.mark.parametrize("name", [*HOSTILE, "a.b*c", "(x|y)", "[1]\\"])
def test_it_means_this_benchmark_and_can_be_seen(name: str) -> None:
    made = expression(name)
    assert re.search(made, name, re.DOTALL)
    assert all(letter.isprintable() for letter in made)
    assert len(made) < 500
    assert not re.search(made, f"x{name}")


def test_the_address_holds_nothing_of_the_name() -> None:
    for name in HOSTILE:
        assert re.fullmatch(r"why/[0-9a-f_.-]+\.html", href(WhyQuestion(name, *RUNS)))
