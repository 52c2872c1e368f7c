"""libMicro's own output, as it lies about: read whole, or refused by line."""

from pathlib import Path

import pytest
from conftest import DATA

from assay.errors import InputError
from assay.record import reader
from assay.record.formats import libmicro

ONE = """# bin/../bin-unknown/exec -E -C 10000 -D 10 -L -S -N exec~
             prc thr   usecs/call      samples~
exec           1   1    590.19500        10000~
#
# STATISTICS           usecs/call
#                    min    555.06200
#
# DISTRIBUTION
#\t      counts   usecs/call                                         means
#                 19    552.00000 |*                                  558.58258
""".replace("~", " ")  # libMicro ends lines so
CATALOGUE = """!Libmicro_#:\t0.4.0
!Machine_name\tbox7
!CPU_NAME\tTest CPU
             prc thr   usecs/call      samples   errors cnt/samp     size
getpid         1   1      0.08421          202        0   100000
malloc_10_2    1   2      0.05000          202        0    10000       10
fork_10        ERROR  too many processes
exec           1   1    600.00000          202        0      100
exec           1   1    610.00000          202        0      100
exec           4   1    900.00000          202        0      100
"""


def test_one_case_with_its_statistics_is_one_row() -> None:
    record = libmicro.parse(ONE.encode(), "base0.out")
    (sample,) = record.samples
    assert (sample.benchmark, sample.time_unit, sample.iterations) == ("exec", "us", 10_000)
    assert sample.values == {"real_time": (590.195,)}
    command = "bin/../bin-unknown/exec -E -C 10000 -D 10 -L -S -N exec"
    assert record.facts.written["libmicro"] == {"command": command}


def test_a_catalogue_has_facts_errors_and_teams() -> None:
    record = libmicro.parse(CATALOGUE.encode(), "all.out")
    facts = {"Libmicro_#": "0.4.0", "Machine_name": "box7", "CPU_NAME": "Test CPU"}
    assert record.facts.written["libmicro"] == facts
    assert record.context["host_name"] == "box7"
    names = [one.benchmark for one in record.samples]
    assert names == ["getpid", "malloc_10_2", "exec", "exec", "exec (4x1)"]
    assert [one.threads for one in record.samples] == [1, 2, 1, 1, 4]
    (failure,) = record.failures
    assert (failure.benchmark, failure.what) == ("fork_10", "ERROR too many processes")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (
            "exec 1 1 many 10",
            (
                "line 1",
                "'exec 1 1 many 10' is no row; expected name, prc, thr, usecs/call, samples",
            ),
        ),
        (f"{'e' * 81} 1", (f"'{'e' * 80}' is no row",)),
        ("exec 1 1 5.0 many", ("is no row",)),
        ("exec 1 1 inf 10", ("took inf us; measure again",)),
        ("exec 1", ("is no row",)),
        ("exec 1 1 -5.0 10", ("took -5.0 us",)),
        ("exec 1 1 nan 10", ("took nan us",)),
        ("# nothing", ("holds no libMicro row",)),
    ],
)
def test_what_is_no_row_is_told(row: str, words: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as failed:
        libmicro.parse(row.encode(), "odd.out")
    for word in words:
        assert word in failed.value.message


def test_the_reader_knows_it_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "results.txt"
    path.write_text(CATALOGUE)
    assert len(reader.read(path).samples) == 5
    path.write_text("some prose")
    with pytest.raises(InputError, match="is no file of results"):
        reader.read(path)


@pytest.mark.parametrize("name", ["base0", "bpf2", "audit4"])
def test_files_of_libmicro_itself(name: str) -> None:
    record = reader.read(DATA / "libmicro" / f"{name}.out")
    assert [one.benchmark for one in record.samples] == ["exec"]


def test_a_row_without_samples_is_of_one_call_and_an_error_is_told_by_its_first_word() -> None:
    text = "# made so\nexec 1 1 0\nexec ERROR\nother 1 1 2 errors\nfork 2 1 3 4\n"
    found = libmicro.parse(text.encode(), "f")
    assert [(one.benchmark, one.iterations, one.launch) for one in found.samples] == [
        ("exec", 1, 0),
        ("fork", 4, 1),
    ]
    assert [(one.benchmark, one.what) for one in found.failures] == [("exec", "ERROR")]
    assert found.facts.written["libmicro"] == {"command": "made so"}
    assert libmicro.parse(b"exec 1 1 5\n# late", "f").facts.written.get("libmicro", {}) == {}
