"""What is held still: the place where arguments and environment end, whatever they are."""

from collections.abc import Mapping

import pytest

from assay.measure.profile.exact.pinned import TUNABLES, extended_path_length, pinned_variables

ARGV = ("/home/me/bench", "--v=2")


def taken(argv: tuple[str, ...], environment: Mapping[str, str]) -> int:
    """Bytes of all words and of the pointers to them."""
    whole = {**environment, **pinned_variables(argv, environment)}
    words = [*argv, *(f"{name}={value}" for name, value in whole.items())]
    return sum(len(word.encode()) + 1 + 8 for word in words)


@pytest.mark.parametrize(
    ("argv", "environment"),
    [
        (ARGV, {}),
        (ARGV, {"HOME": "/root", "UMLAUT": "äöü"}),
        (ARGV, {f"FILL{n}": "x" * n for n in range(150)}),
        (("/a/much/longer/path/to/bench", "--v=2"), {"A": "1"}),
        (ARGV, {"ASSAY_PAD": "left by somebody", "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2"}),
    ],
)
def test_they_always_take_the_same_room(argv: tuple[str, ...], environment: dict[str, str]) -> None:
    assert taken(argv, environment) == 32_768


def test_a_large_environment_takes_whole_steps() -> None:
    assert taken(ARGV, {"LARGE": "x" * 40_000}) == 65_536


def test_what_the_user_says_of_the_cpu_is_overridden() -> None:
    found = pinned_variables(ARGV, {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=AVX2"})
    assert found["GLIBC_TUNABLES"] == TUNABLES
    assert "-AVX2," in TUNABLES


def test_paths_are_brought_to_one_length() -> None:
    assert [extended_path_length(path) for path in ("/b", "/" + "b" * 200, "/" + "b" * 256)] == [
        256,
        256,
        512,
    ]
