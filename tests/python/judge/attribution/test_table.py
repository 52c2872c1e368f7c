"""The table of all functions whose instructions changed."""

from explanations import exact_work, function_code, own_change

from assay.findings import Claim
from assay.judge.attribution.table import table
from assay.machine_code import MachineCode


def test_the_largest_are_rows_and_the_others_a_sum() -> None:
    changes = [own_change(f"f{n}", (-1) ** n * (1000 - n)) for n in range(43)]
    work = exact_work(*reversed(changes))
    *rows, rest = table(work, None)
    assert [one.subject for one in rows] == [f"f{n}" for n in range(40)]
    assert (rest.claim, rest.others) == (Claim.REST, 3)
    assert sum(one.amounts[0].amount for one in (*rows, rest)) == work.loop.whole


def test_a_row_says_what_became_of_its_code() -> None:
    code = MachineCode(10, (function_code("f", "gone"), function_code("g", "same", moved=True)))
    changes = own_change("f", 3), own_change("g", 2), own_change("h", 1)
    assert [one.how for one in table(exact_work(*changes), code)] == [
        "gone",
        "same, moved",
        "inlined",
    ]
