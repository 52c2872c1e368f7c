"""Facts about a host and a build in rows of words."""

from typing import Any

import pytest

from assay.show.words.facts import Fact, flat, rows

L1 = {"level": 1, "size": 32_768, "type": "Data"}


@pytest.mark.parametrize(
    ("facts", "shown"),
    [
        (
            {"cpu_model": "Xeon", "num_cpus": 4, "mhz_per_cpu": 2_400, "os": "Linux"},
            {"CPU": "Xeon", "CPUs": "4", "MHz": "2400", "OS": "Linux"},
        ),
        ({"cpus": [0, 2]}, {"CPUs": "0, 2"}),
        ({"smt": True, "aslr": False}, {"SMT": "yes", "ASLR": "no"}),
        ({"huge_pages_of": "x"}, {"huge pages of": "x"}),
        ({"none": None, "text": "", "list": [], "tuple": ()}, {}),
        ({"zero": 0, "no": False, "one": [0]}, {"zero": "0", "no": "no", "one": "0"}),
        ({"list": ["a", 1]}, {"list": "a, 1"}),
        ({"tuple": ("a",)}, {"tuple": "a"}),
        ({"memory_bytes": 2**34}, {"memory bytes": "16 GiB"}),
        ({"memory_bytes": 1.5}, {"memory bytes": "1.5 B"}),
        ({"memory_bytes": 2**63 - 1}, {"memory bytes": "8589934592 GiB"}),
        ({"memory_bytes": 2**63}, {"memory bytes": "9223372036854775808"}),
        ({"memory_bytes": -(2**63)}, {"memory bytes": "-9223372036854775808"}),
        ({"memory_bytes": "many"}, {"memory bytes": "many"}),
        ({"memory_bytes": True}, {"memory bytes": "yes"}),
        ({"build": {"type": "Release", "flags": {"lto": True}}},
         {"build: type": "Release", "build: flags: lto": "yes"}),
        ({"n" * 121: "a"}, {f"{'n' * 59}…{'n' * 60}": "a"}),
        ({"long": "v" * 400}, {"long": "v" * 400}),
        ({"long": "v" * 401}, {"long": f"{'v' * 199}…{'v' * 200}"}),
        ({"long": ["v" * 401]}, {"long": f"{'v' * 199}…{'v' * 200}"}),
        ({"red\x1b": "\x1b[31m"}, {"red\\x1b": "\\x1b[31m"}),
    ],
)  # fmt: skip
def test_facts_become_names_and_texts(facts: dict[str, Any], shown: dict[str, str]) -> None:
    assert flat(facts) == shown


@pytest.mark.parametrize(
    ("caches", "shown"),
    [
        (
            [L1, {"level": 1, "size": 65_536, "type": "Instruction", "num_sharing": 2}],
            "L1d 32 KiB, L1i 64 KiB",
        ),
        ([{"level": 3, "size": 2**25, "type": "Unified"}], "L3 32 MiB"),
        ([{"level": 2}], "L2 0 B"),
        ([{"level": 2, "size": 0}, {"level": 2, "size": 2**62}], "L2 0 B, L2 4294967296 GiB"),
        ([{"level": 2, "size": -1}], "{'level': 2, 'size': -1}"),
        ([{"level": 2, "size": 2**62 + 1}], "{'level': 2, 'size': 4611686018427387905}"),
        (["L1", "L2"], "L1, L2"),
        ("large", "large"),
    ],
)
def test_caches_are_one_line(caches: Any, shown: str) -> None:
    assert flat({"caches": caches}) == {"caches": shown}
    assert flat({"others": [L1]}) == {"others": str(L1)}


def test_what_is_nested_too_deeply_is_shown_as_it_is() -> None:
    inner: Any = {"end": 1}
    for _ in range(9):
        inner = {"a": inner}
    assert flat(inner) == {f"{'a: ' * 8}a": "{'end': 1}"}
    assert flat(inner["a"]) == {f"{'a: ' * 8}end": "1"}


def test_facts_that_differ_come_first_and_the_others_in_their_order() -> None:
    base = {"os": "Linux", "kernel": "6.1", "only_base": 1, "compiler": "GCC 12"}
    candidate = {"only_candidate": 2, "os": "Linux", "compiler": "GCC 13", "kernel": "6.2"}
    assert rows({"base": base, "candidate": candidate}) == [
        Fact("kernel", "6.1", "6.2", differs=True),
        Fact("compiler", "GCC 12", "GCC 13", differs=True),
        Fact("OS", "Linux", "Linux", differs=False),
        Fact("only base", "1", "-", differs=False),
        Fact("only candidate", "-", "2", differs=False),
    ]


def test_one_side_has_nothing_to_differ_from() -> None:
    assert rows({"base": {"os": "Linux"}}) == [Fact("OS", "Linux", "", differs=False)]
    assert rows({}) == []
    only = {"candidate": {"os": "Linux"}}
    assert rows(only) == [Fact("OS", "-", "Linux", differs=False)]
