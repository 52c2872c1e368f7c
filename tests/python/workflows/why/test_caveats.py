"""What is said before anything else: other flags, other compilers, a stripped side."""

from explanations import explained
from msgspec.structs import replace

from assay.judge.attribution.findings import findings
from assay.measure.profile.program.built_with import BuiltWith
from assay.show.words import why_answer, why_first
from assay.workflows.why.caveats import Caveats, caveats_of_builds

GCC = BuiltWith("GCC: (Debian) 12.2.0", frozenset({"-O2", "-march=x86-64"}))


def told(base: BuiltWith, candidate: BuiltWith) -> tuple[str, ...]:
    return caveats_of_builds(("base", base), ("candidate", candidate)).told


def test_the_same_build_has_none() -> None:
    assert caveats_of_builds(("base", GCC), ("candidate", GCC)) == Caveats((), has_names=True)


def test_other_flags_by_side() -> None:
    other = replace(GCC, flags=frozenset({"-O2", "-fno-inline", "-march=native"}))
    assert told(GCC, other) == (
        "built with other flags: -march=x86-64 in the base only, "
        "-fno-inline -march=native in the candidate only",
    )


def test_flags_that_one_side_does_not_say_are_not_other_flags() -> None:
    assert told(GCC, replace(GCC, flags=frozenset())) == ()


def test_many_flags_are_not_all_listed() -> None:
    (said,) = told(GCC, replace(GCC, flags=GCC.flags | {f"-f{number:02}" for number in range(20)}))
    assert said.endswith("-f07 and 12 more in the candidate only")


def test_another_compiler() -> None:
    (said,) = told(GCC, BuiltWith("clang version 14"))
    assert said == "built by other compilers: GCC: (Debian) 12.2.0, now clang version 14"


def test_of_a_stripped_side_no_function_is_told() -> None:
    found = caveats_of_builds(("base", GCC), ("candidate", replace(GCC, has_symbols=False)))
    assert not found.has_names
    assert found.told == (
        "the candidate is stripped: its functions have no names, so that none is told; "
        "link it without -s",
    )
    one = explained().without_names()
    said = findings(one)
    assert why_answer.head(said.stages[0]).startswith("190 more instructions an iteration")
    assert [
        *why_answer.ranked_sentences(said),
        *why_answer.lines_on_others(said),
        why_first.sentence(said.first),
    ] == [""]
