"""What two counts agree on."""

from fractions import Fraction

from msgspec.structs import replace

from assay.judge.attribution.repeated import named_by_both_counts, names_a_function
from assay.work import Attribution, ExactWork, OwnChange, Simulated


def change(name: str, amount: int = 10) -> OwnChange:
    return OwnChange(name, Fraction(amount), 100, 100 + amount, ())


def work(*told: OwnChange, **more: object) -> ExactWork:
    loop = Attribution(1, 1000, 1010, told)
    return ExactWork(loop, loop, told, **more)  # type: ignore[arg-type]


def test_what_both_name_is_named_as_the_second_has_it() -> None:
    found = named_by_both_counts(work(change("f", 9), change("chance")), work(change("f", 10)))
    assert [(one.function, one.amount) for one in found.told] == [("f", 10)]
    assert found.notes == ("counted twice: what changed in one count only is not named (1)",)


def test_another_direction_is_chance() -> None:
    assert named_by_both_counts(work(change("f", 9)), work(change("f", -9))).told == ()


def test_counts_that_agree_need_no_note() -> None:
    one = work(change("f"), told_setup=(change("s"),))
    assert named_by_both_counts(one, one) == one
    assert not names_a_function(work())


def test_simulated_misses_are_asked_twice_too() -> None:
    missed = Simulated("D1 misses", 10, Attribution(1, 5, 9, ()), (change("g"),))
    first = work(simulated=(missed,))
    assert names_a_function(first)
    assert named_by_both_counts(first, first).simulated == (missed,)
    assert named_by_both_counts(replace(first, simulated=()), first).simulated == ()


def test_a_single_instruction_more_has_a_direction_too() -> None:
    assert named_by_both_counts(work(change("f", 1)), work(change("f", 9))).told
    assert named_by_both_counts(work(change("f", -1)), work(change("f", 1))).told == ()
