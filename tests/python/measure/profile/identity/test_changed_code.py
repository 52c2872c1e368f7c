"""Programs in which one macro makes one thing differ: the files tell which benchmarks reach it."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.measure.executor import ProcessExecutor, find_launcher
from assay.measure.profile.identity import changed_code
from assay.measure.profile.identity.changed_code import ChangedCode
from assay.measure.profile.program.binary import Binary

SOURCE = r"""
#ifndef FACTOR
#define FACTOR 3
#endif
#ifndef STEP
#define STEP 5
#endif
#ifndef VALUE
#define VALUE 7
#endif
#ifndef TEXT
#define TEXT "a text"
#endif
#define KEPT __attribute__((noinline, noclone, used))
namespace benchmark { struct State { long n; const char* text; }; }
using benchmark::State;
#ifdef MORE
KEPT long more(long x) { return x * 123457 % 17; }
#endif
KEPT long helper(long x) { return x * FACTOR ^ x; }
KEPT long deep(long x) { return helper(x) + 1; }
KEPT long other(long x) { return x + 100; }
struct Shape { virtual long area(long) const = 0; virtual ~Shape() = default; };
struct Square : Shape { KEPT long area(long x) const override { return x * x - STEP; } };
KEPT const Shape& shape() { static const Square made; return made; }
extern const long table[];
const long table[] = {1, 2, VALUE, 4};
KEPT void BM_direct(State& s) { s.n = deep(s.n); }
KEPT void BM_other(State& s) { s.n = other(s.n); }
KEPT void BM_virtual(State& s) { s.n = shape().area(s.n); }
KEPT void BM_table(State& s) { s.n = table[s.n & 3]; }
KEPT void BM_text(State& s) { s.text = TEXT; }
template <int N> KEPT void BM_template(State& s) { s.n = N + (N == 4 ? deep(s.n) : other(s.n)); }
struct Tree_Find_Benchmark { void BenchmarkCase(State& s); };
KEPT void Tree_Find_Benchmark::BenchmarkCase(State& s) { s.n = deep(s.n) + other(s.n); }
int main(int argc, char**) {
  State s{argc, ""};
  BM_direct(s); BM_other(s); BM_virtual(s); BM_table(s); BM_text(s); BM_template<4>(s);
  BM_template<5>(s);
  Tree_Find_Benchmark().BenchmarkCase(s);
  return static_cast<int>(s.n);
}
"""
BENCHMARKS = (
    "BM_direct/8/threads:2", "BM_other", "BM_virtual", "BM_table/64", "BM_text",
    "BM_template<4>/1", "BM_template<5>/1", "Tree/Find/16", "registered by another name",
)  # fmt: skip
Built = Callable[..., Path]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("changed_code")
    (folder / "bench.cpp").write_text(SOURCE)

    def make(*flags: str) -> Path:
        program = folder / f"bench{len(list(folder.iterdir()))}"
        words = ["g++", "-O2", *flags, str(folder / "bench.cpp"), "-o", str(program)]
        subprocess.run(words, check=True, stdin=subprocess.DEVNULL)
        return program

    return make


def reached(base: Path, candidate: Path) -> set[str]:
    with Binary(str(base)) as ours, Binary(str(candidate)) as theirs:
        executor = ProcessExecutor(find_launcher())
        return ChangedCode(ours, theirs, executor).reached_by(BENCHMARKS)


@pytest.mark.parametrize("kind", [(), ("-no-pie",)], ids=["pie", "fixed"])
@pytest.mark.parametrize(
    ("flag", "expected"),
    [
        ("-DFACTOR=4", {"BM_direct/8/threads:2", "BM_template<4>/1", "Tree/Find/16"}),
        ("-DSTEP=6", {"BM_virtual"}),
        ("-DVALUE=8", {"BM_table/64"}),
        ('-DTEXT="another"', {"BM_text"}),
        ("-DMORE", set()),
        ("-DUNUSED", set()),
    ],
)
def test_who_reaches_what_differs(
    built: Built, kind: tuple[str, ...], flag: str, expected: set[str]
) -> None:
    assert reached(built(*kind), built(flag, *kind)) == expected


def test_a_stripped_program_names_nobody(built: Built) -> None:
    assert reached(built(), built("-s", "-DFACTOR=4")) == set()


def test_too_much_code_is_refused(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changed_code, "_MOST_INSTRUCTIONS", 10)
    with pytest.raises(InputError, match="too much code"):
        reached(built(), built("-DUNUSED"))
