import pytest

from assay.judge.labs.benchmark_names import ParsedName, parse_name


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("bench_ref_copy<RefType::SharedPointer>", ParsedName("ref_copy", "SharedPointer")),
        (
            "bench_stream<StreamType::Pipe, Threads::Two>/items:64/size:1/real_time",
            ParsedName("stream", "Pipe", ("Threads::Two",), (("items", 64.0), ("size", 1.0))),
        ),
        (
            "bench_lock<LockType::Spin>/8/iterations:5/threads:2",
            ParsedName("lock", "Spin", ("2 threads",), (("", 8.0),)),
        ),
        (
            "BM_find<std::map<int, std::less<int>>, Kind::A>",
            ParsedName("BM_find", "std::map<int, std::less<int>>", ("Kind::A",)),
        ),
        ("bench_x<f(a, b)>", ParsedName("x", "f(a, b)")),
        (
            "BM_mark<CompactTree>/nested/shuffled/100000/iterations:1/manual_time",
            ParsedName("BM_mark", "CompactTree", ("nested", "shuffled"), (("", 100000.0),)),
        ),
    ],
)
def test_names_in_flowbenchs_style_are_taken_apart(name: str, parts: ParsedName) -> None:
    assert parse_name(name) == parts


@pytest.mark.parametrize("name", ["", "BM_plain", "BM_plain/64", "<a>", "x<", "x<>", "x<a>b"])
def test_other_names_are_left_alone(name: str) -> None:
    assert parse_name(name) is None


def test_sizes_of_one_member_are_a_family() -> None:
    small, large = parse_name("f<A, B>/size:1"), parse_name("f<A, B>/size:2")
    assert small is not None
    assert large is not None
    assert small.family == large.family
    assert small != large


def test_a_comma_in_brackets_parts_nothing() -> None:
    found = parse_name("f<a<b, c>, d(e, g), h>")
    assert found == ParsedName("f", "a<b, c>", ("d(e, g)", "h"))
    assert parse_name("f<x::y, a::b>") == ParsedName("f", "y", ("a::b",))
