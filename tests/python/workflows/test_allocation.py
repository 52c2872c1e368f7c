from assay.workflows.allocation import FIRST_ROUNDS, Prospect, next_pass


def prospect(priority: float, needed: int | None, rounds: int = 20) -> Prospect:
    return Prospect(rounds=rounds, priority=priority, rounds_needed=needed, round_s=0.1)


def test_everyone_gets_first_rounds_before_anyone_is_preferred() -> None:
    prospects = {"new": prospect(0.1, None, FIRST_ROUNDS - 1), "old": prospect(0.9, 3)}
    assert next_pass(prospects, 100) == ["new"]


def test_with_time_for_all_all_go_on() -> None:
    prospects = {"a": prospect(0.1, 50), "b": prospect(0.5, 10)}
    assert next_pass(prospects, 100) == ["b", "a"]


def test_with_little_time_the_nearest_to_a_decision_go_on() -> None:
    prospects = {"far": prospect(0.01, 500), "near": prospect(0.5, 10), "never": prospect(0, None)}
    assert next_pass(prospects, 10) == ["near"]


def test_when_nobody_can_be_settled_the_time_left_is_shared() -> None:
    prospects = {"a": prospect(0.01, 5000), "b": prospect(0, None)}
    assert next_pass(prospects, 1) == ["a", "b"]


def test_nobody_left() -> None:
    assert next_pass({}, 10) == []
