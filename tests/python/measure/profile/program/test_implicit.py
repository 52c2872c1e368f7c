"""Members that the compiler made belong to the line that needs them."""

import os
from pathlib import Path

import pytest

from assay.measure.profile.program.frames import Frame, without_compiler_made
from assay.measure.profile.program.implicit import ImplicitMembers, is_compiler_made


@pytest.mark.parametrize(
    ("name", "text", "made"),
    [
        ("Frame", "struct Frame {", True),
        ("~Frame", "class Frame final : public Base {", True),
        ("operator=", "struct Frame {", True),
        ("Frame", "  Frame(const Frame&) = default;", True),
        ("~Frame", "  virtual ~Frame() = default;", True),
        ("operator=", "  Frame& operator=(Frame&&) noexcept = default;", True),
        ("List", "template <class T> struct List : Base<T> {", True),
        ("Frame", "  Frame(const Frame& other) : size(other.size) {}", False),
        ("~Frame", "struct Frame { ~Frame() { close(); } };", False),
        ("Frame", "struct Frame { Frame(int size); };", False),
        ("Frame", "struct Frames {", False),
        ("enter", "void enter(struct Frame frame) {", False),
        ("operator=", "Frame& Frame::operator=(const Frame& other) {", False),
        ("Frame", "", False),
    ],
)
def test_by_the_text_of_its_line(name: str, text: str, made: bool) -> None:
    assert is_compiler_made(name, text) is made


SOURCE = "#include <vector>\nstruct Frame {\n  std::vector<int> slots;\n};\nint size(Frame f);\n"


def test_the_source_is_read_where_it_is_as_old_as_the_executable(tmp_path: Path) -> None:
    source, binary = tmp_path / "vm.cpp", tmp_path / "bench"
    source.write_text(SOURCE)
    binary.write_text("")
    implicit = ImplicitMembers(str(binary))
    assert implicit.is_made_by_compiler("Frame::Frame(Frame const&)", str(source), 2)
    assert implicit.is_made_by_compiler("vm::Frame::~Frame()", str(source), 2)
    assert not implicit.is_made_by_compiler("size(Frame)", str(source), 5)
    assert not implicit.is_made_by_compiler("Frame::Frame(Frame const&)", str(source), 99)
    assert not implicit.is_made_by_compiler("Frame::Frame(Frame const&)", "/nowhere/vm.cpp", 2)


def test_a_source_that_was_changed_since_says_nothing(tmp_path: Path) -> None:
    source, binary = tmp_path / "vm.cpp", tmp_path / "bench"
    binary.write_text("")
    source.write_text(SOURCE)
    os.utime(binary, (1, 1))
    assert not ImplicitMembers(str(binary)).is_made_by_compiler(
        "Frame::Frame(Frame const&)", str(source), 2
    )


def test_what_is_inlined_is_of_whom_it_is_in_and_the_rest_is_marked() -> None:
    caller, copy = Frame("enter", "vm.cpp", 112), Frame("Frame", "vm.hpp", 7)
    chains = {1: (copy, caller), 2: (copy,), 3: (caller,)}
    found = without_compiler_made(chains, lambda name, _file, _line: name == "Frame")
    assert found == {1: (caller,), 2: (copy._replace(is_implicit=True),), 3: (caller,)}
