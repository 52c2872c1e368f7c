"""The table of all functions whose instructions changed."""

from explanations import exact_work, function_code, own_change
from msgspec.structs import replace

from assay.findings import Claim, Difference
from assay.judge.attribution.table import function_rows
from assay.machine_code import MachineCode


def test_the_largest_are_rows_and_the_others_a_sum() -> None:
    changes = [own_change(f"f{n}", (-1) ** n * (1000 - n)) for n in range(43)]
    work = exact_work(*reversed(changes))
    *rows, rest = function_rows(work, None)
    assert [one.subject for one in rows] == [f"f{n}" for n in range(40)]
    assert (rest.claim, rest.others) == (Claim.REST, 3)
    assert sum(one.amounts[0].amount for one in (*rows, rest)) == work.loop.whole


def test_a_row_says_what_became_of_its_code() -> None:
    code = MachineCode(10, (function_code("f", "gone"), function_code("g", "same", moved=True)))
    changes = own_change("f", 3), own_change("g", 2), own_change("h", 1)
    assert [one.how for one in function_rows(exact_work(*changes), code)] == [
        "gone",
        "same, moved",
        "inlined",
    ]


def test_a_row_has_what_the_function_adds_and_what_it_does_itself() -> None:
    (row,) = function_rows(exact_work(own_change("f", 30, base=700)), None)
    assert row.amounts == (
        Difference("instruction", 100_000, 30, 10),
        Difference("instruction", 700, 30, 10),
    )
    assert (row.claim, row.how) == (Claim.FUNCTION, "inlined")


def test_code_that_is_where_it_was_or_that_changed_did_not_move() -> None:
    code = MachineCode(10, (function_code("f", "same"), function_code("g", moved=True)))
    changes = own_change("f", 3), own_change("g", 2)
    assert [one.how for one in function_rows(exact_work(*changes), code)] == ["same", "changed"]


def test_of_a_library_function_nothing_is_known() -> None:
    library = replace(own_change("malloc", 3), own=False)
    (row,) = function_rows(exact_work(library), MachineCode(10, ()))
    assert row.how == ""


def test_forty_rows_leave_nothing() -> None:
    changes = [own_change(f"f{n}", 1000 - n) for n in range(40)]
    assert len(list(function_rows(exact_work(*changes), None))) == 40
