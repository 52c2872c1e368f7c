from assay.measure.schedule import Schedule


def test_same_seed_gives_the_same_order_whatever_was_asked_before() -> None:
    asked_much, asked_once = Schedule(7), Schedule(7)
    for number in range(50):
        asked_much.base_first("other", number)
    assert asked_much.base_first("BM_a", 3) == asked_once.base_first("BM_a", 3)
    assert asked_much.shuffled("abcdef", 2) == asked_once.shuffled("abcdef", 2)


def test_each_side_goes_first_about_half_the_time() -> None:
    first = sum(Schedule(1).base_first("BM_a", number) for number in range(1000))
    assert 440 < first < 560


def test_benchmarks_and_seeds_get_orders_of_their_own() -> None:
    def order(seed: int, name: str) -> list[bool]:
        return [Schedule(seed).base_first(name, number) for number in range(40)]

    assert order(1, "BM_a") != order(1, "BM_b")
    assert order(1, "BM_a") != order(2, "BM_a")


def test_a_pass_visits_everyone_once() -> None:
    assert sorted(Schedule(1).shuffled("abcdef", 0)) == list("abcdef")
