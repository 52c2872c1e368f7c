import pytest

from assay.errors import UsageError
from assay.model import Sample
from assay.workflows.compare.metrics import chosen_metrics, deciding_metrics


def sample(*metrics: str) -> list[Sample]:
    return [Sample(benchmark="a", values=dict.fromkeys(metrics, (1.0,)))]


def test_times_first_then_what_is_counted() -> None:
    both = sample("foo", "CallsToAlloc", "cpu_time", "real_time")
    assert chosen_metrics((), both, both) == ("real_time", "cpu_time", "CallsToAlloc", "foo")


def test_what_another_metric_says_is_not_said_again() -> None:
    both = sample("real_time", "items_per_second", "allocs", "CallsToAlloc", "allocs_per_iter")
    assert chosen_metrics((), both, both) == ("real_time", "CallsToAlloc")


def test_autocorrelation_alone_is_worth_comparing() -> None:
    both = sample("real_time", "allocs_per_iter")
    assert chosen_metrics((), both, both) == ("real_time", "allocs_per_iter")


def test_only_metrics_of_both_sides() -> None:
    assert chosen_metrics((), sample("real_time", "x"), sample("real_time", "y")) == ("real_time",)


def test_what_was_asked_for_and_nothing_else() -> None:
    both = sample("real_time", "items_per_second")
    assert chosen_metrics(("items_per_second",), both, both) == ("items_per_second",)


def test_an_unknown_metric_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"--metric p99: .*there is: cpu_time, real_time"):
        chosen_metrics(("p99",), sample("real_time", "cpu_time"), sample("real_time", "cpu_time"))


def test_real_time_decides_when_to_stop_unless_others_were_asked_for() -> None:
    assert deciding_metrics((), ("real_time", "cpu_time", "foo")) == ("real_time",)
    assert deciding_metrics((), ("max_rss",)) == ("max_rss",)
    assert deciding_metrics(("cpu_time", "foo"), ("cpu_time", "foo")) == ("cpu_time", "foo")
