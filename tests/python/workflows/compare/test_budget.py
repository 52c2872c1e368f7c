from assay.workflows.common.plan import Measuring
from assay.workflows.compare.budget import Budget

CHEAP = {f"b{i}": 0.03 for i in range(18)}
DEAR = {**CHEAP, "dear0": 6.0, "dear1": 6.0}


def test_by_default_cheap_benchmarks_have_five_seconds_each() -> None:
    budget = Budget.of(Measuring(), CHEAP, 15)
    assert budget.limit_s == 90.0
    assert budget.guaranteed
    assert budget.announcement() == (
        "18 benchmarks: 15 rounds of each are the least for a verdict, about 8 s; budget 1 min 30 s"
    )


def test_by_default_a_dear_benchmark_has_what_an_interval_takes_and_takes_it_from_nobody() -> None:
    budget = Budget.of(Measuring(), DEAR, 15)
    assert budget.limit_s == 90.0 + 2 * 15 * 6.0 * 1.1


def test_a_budget_asked_for_is_kept_and_said_to_be_too_small() -> None:
    budget = Budget.of(Measuring(budget_s=10.0), {"sleep": 2.7}, 15)
    assert budget.limit_s == 10.0
    assert not budget.guaranteed
    assert budget.announcement() == (
        "15 rounds of each benchmark need about 40 s; --budget is 10 s: "
        "some benchmarks will have no interval (first come those that seem changed, "
        "then the cheap ones)"
    )


def test_rounds_asked_for_have_no_other_limit_and_are_said_to_be_too_few() -> None:
    few = Budget.of(Measuring(rounds=5), CHEAP, 15)
    assert few.limit_s == float("inf")
    assert few.announcement() == (
        "15 rounds of each benchmark are the least for a verdict; --rounds is 5: "
        "no benchmark will have an interval"
    )
    enough = Budget.of(Measuring(rounds=40), CHEAP, 15)
    assert enough.announcement() == (
        "18 benchmarks: 15 rounds of each are the least for a verdict, about 8 s"
    )


def test_less_than_a_second_is_about_nothing() -> None:
    """It said "about less than a second"."""
    said = Budget.of(Measuring(), {"BM_a": 0.001}, 15).announcement()
    assert "for a verdict, less than a second" in said
    assert "about less" not in said
