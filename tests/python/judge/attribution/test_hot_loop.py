"""The loop that was executed most, and the lines of the cache that it lies in."""

from assay.judge.attribution.hot_loop import hot_loop
from assay.machine_code import Body, HotLoop, Instruction


def body(start: int, sizes: list[int], jumps: dict[int, int]) -> Body:
    """Instructions of these sizes; some jump so many instructions on, or back."""
    code, address = [], start
    for index, size in enumerate(sizes):
        step = jumps.get(index)
        text = f"jne {step:+d}" if step else "add eax, 1"
        code.append(Instruction(address, text, text, inside=step is not None))
        address += size
    return Body("walk", "_Z4walkv", "bench", start, address - start, tuple(code), 0)


def test_lines_and_windows_are_those_from_its_first_byte_to_its_last() -> None:
    sizes, jumps = [4, 4, 8, 8, 2, 1], {4: -3}  # the loop: 4 + 8 + 8 + 2 bytes from the second on
    cases = ((0, 1, 1), (8, 1, 2), (38, 1, 1), (39, 2, 2), (56, 2, 2), (60, 1, 1))
    for start, lines, windows in cases:
        found = hot_loop(body(start, sizes, jumps), {start + 24: 1000})
        assert found == HotLoop(22, lines, windows), start


def test_the_hottest_counts_and_of_equals_the_smallest() -> None:
    nested = body(0, [4] * 8, {5: -2, 7: -6})
    assert hot_loop(nested, {20: 500, 28: 10}) == HotLoop(12, 1, 1)
    assert hot_loop(nested, {20: 10, 28: 500}) == HotLoop(28, 1, 1)
    assert hot_loop(nested, {20: 500, 28: 500}) == HotLoop(12, 1, 1)


def test_what_was_not_executed_or_only_jumps_on_is_no_loop() -> None:
    assert hot_loop(body(0, [4] * 4, {2: -1}), {}) is None
    assert hot_loop(body(0, [4] * 4, {1: 2}), {4: 9}) is None
