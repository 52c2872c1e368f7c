"""The whole sentence with which each reader refuses a file, and what Assay says that it reads."""

import pytest

from assay.errors import InputError
from assay.record.formats import table

AGAIN = "is it complete? write it again with the tool that made it"
CRITERION = "Criterion's folder or JSON"
GUNGRAUN = "Gungraun or iai-callgrind JSON"

# format -> file -> what it is not, and what was expected instead
OTHER_SHAPES: dict[str, dict[str, tuple[str, str]]] = {
    "hyperfine JSON": {
        '{"results": 1}': ("hyperfine's JSON", "array`, got `int` - at `$.results"),
    },
    "pyperf JSON": {
        '{"benchmarks": 1}': ("pyperf's JSON", "array`, got `int` - at `$.benchmarks"),
    },
    "pytest-benchmark JSON": {
        '{"benchmarks": 1}': ("pytest-benchmark's JSON", "array`, got `int` - at `$.benchmarks"),
    },
    "asv results": {'{"results": 1}': ("asv's results", "object`, got `int` - at `$.results")},
    "BenchmarkDotNet JSON": {
        '{"Benchmarks": 1}': ("BenchmarkDotNet's JSON", "array`, got `int` - at `$.Benchmarks"),
    },
    GUNGRAUN: {"[]": ("a summary of Gungraun or iai-callgrind", "object`, got `array")},
    "JMH JSON": {"{}": ("JMH's JSON", "array`, got `object")},
    "nanobench JSON": {"[]": ("nanobench's JSON", "object`, got `array")},
    CRITERION: {
        '{"iters": 1, "times": 1}': ("Criterion's sample.json", "array`, got `int` - at `$.iters"),
        '{"mean": 1, "point_estimate": 1}': (
            "Criterion's estimates.json",
            "object`, got `int` - at `$.mean",
        ),
    },
    "k6 summary": {"[]": ("k6's summary", "object`, got `array")},
}


def pibench(operations: str, run_time: str) -> str:
    """A report that says how many operations were asked for, and for how long it ran."""
    options = f"Benchmark Options:\n\t# Operations: {operations}\n"
    return f"{options}Results:\n\tRun time: {run_time}\n"


def catch2(inner: str) -> str:
    results = f'<BenchmarkResults name="b">{inner}</BenchmarkResults>'
    return f'<Catch><TestCase name="a">{results}</TestCase></Catch>'


# format -> file -> the sentence
SAID: dict[str, dict[str, str]] = {
    "asv results": {
        "{": f"is not asv's results: Input data was truncated; {AGAIN}",
        '{"results": {"a": [[1, 2], [["x"]]]}, "result_columns": ["result", "params"]}': (
            f"'a' has 2 results for other parameters; {AGAIN}"
        ),
    },
    GUNGRAUN: {'{"module_path": "a", "version": "6"}': f"holds no count of 'a'; {AGAIN}"},
    CRITERION: {
        '{"full_id": 1, "directory_name": 1}': (
            "names a benchmark and holds no times; give target/criterion, or a sample.json in it"
        ),
        '{"iters": [1], "times": []}': f"has 0 times for 1 counts of iterations; {AGAIN}",
        '{"iters": [0.5], "times": [1]}': f"has 1 times for 1 counts of iterations; {AGAIN}",
        '{"iters": [], "times": []}': "holds no measurement of Criterion; measure again",
    },
    "k6 summary": {'{"metrics": {}}': "holds no measurement of k6; measure again"},
    "Catch2 XML": {
        "<Catch": f"is not Catch2's XML: unclosed token: line 1, column 0; {AGAIN}",
        "<Catch/>": "holds no measurement of Catch2; measure again",
        "<!DOCTYPE a><Catch/>": (
            "declares a document type, which is not read; take the DOCTYPE out of it"
        ),
        catch2("<mean/>"): f"benchmark 'a/b' has a mean without a value; {AGAIN}",
        catch2('<mean value="x"/>'): f"has the mean of 'a/b' = 'x', no number; {AGAIN}",
    },
    "JUnit XML": {
        "<testsuite": f"is not JUnit's XML: unclosed token: line 1, column 0; {AGAIN}",
        "<testsuite/>": "holds no measurement of JUnit XML; measure again",
    },
    "PiBench text": {
        "": "holds no measurement of PiBench; measure again",
        "Benchmark Options:\n\tKey: x\n": f"does not say `Run time`; {AGAIN}",
        pibench("4", "3 s"): f"gives `Run time` in other units than milliseconds; {AGAIN}",
        pibench("4", "0 milliseconds"): f"has no operation in its run time; {AGAIN}",
        pibench("0", "3 milliseconds"): f"has no operation in its run time; {AGAIN}",
        pibench("4", "-3 milliseconds"): f"benchmark 'all' has Run time = -3.0; {AGAIN}",
        pibench("four", "3 milliseconds"): f"has # Operations = 'four', no number; {AGAIN}",
    },
    "go test text": {"": "holds no measurement of go test; measure again"},
    "Google Benchmark CSV": {
        "": "has no line `name,iterations,...`; is it Google Benchmark's CSV?",
        "name,iterations,real_time\na,1,fast\n": (
            "benchmark 'a' has real_time = 'fast'; expected a number"
        ),
    },
    "libMicro text": {"": "holds no libMicro row; measure again"},
}

# format -> file -> the line that is named, and the sentence
SAID_OF_A_LINE: dict[str, dict[str, tuple[int, str]]] = {
    "go test text": {
        '{"Action":"\n': (1, "is not an event of `go test -json`; is the file complete?"),
        "BenchmarkA 1 2 ns/op 3\n": (
            1,
            "'BenchmarkA 1 2 ns/op 3' breaks off; expected pairs of a number and a unit",
        ),
        "goos: linux\nBenchmarkA 1 -2 ns/op\n": (2, "'BenchmarkA' took -2 ns/op"),
        "BenchmarkA 1 1e999 ns/op\n": (1, f"has ns/op = '1e999', no number; {AGAIN}"),
    },
    "libMicro text": {
        "a 1 x 2\n": (
            1,
            "'a 1 x 2' is no row; expected name, prc, thr, usecs/call, samples",
        ),
        "# made by\na 1 1 -2\n": (2, "'a' took -2 us; measure again"),
    },
}


def importer(name: str) -> table.Importer:
    (found,) = [one for one in table.IMPORTERS if one.name == name]
    return found


def refusal(name: str, text: str) -> str:
    with pytest.raises(InputError) as refused:
        importer(name).parse(text.encode(), "file")
    return str(refused.value)


@pytest.mark.parametrize("name", OTHER_SHAPES)
def test_a_file_of_another_shape(name: str) -> None:
    for text, (what, expected) in OTHER_SHAPES[name].items():
        said = f"is not {what} as Assay knows it: Expected `{expected}`"
        assert refusal(name, text) == f"file: {said}; {AGAIN}"


@pytest.mark.parametrize("name", SAID)
def test_a_file_without_what_it_should_hold(name: str) -> None:
    for text, said in SAID[name].items():
        assert refusal(name, text) == f"file: {said}"


@pytest.mark.parametrize("name", SAID_OF_A_LINE)
def test_a_line_that_is_wrong(name: str) -> None:
    for text, (line, said) in SAID_OF_A_LINE[name].items():
        assert refusal(name, text) == f"file: line {line}: {said}"


def test_a_time_of_nothing_is_a_time() -> None:
    record = importer("go test text").parse(b"BenchmarkA 1 0 ns/op\n", "file")
    assert record.samples[0].values["real_time"] == (0.0,)


def test_what_can_be_read_in_one_line() -> None:
    assert table.readable_formats() == (
        "Google Benchmark JSON, pytest-benchmark JSON, BenchmarkDotNet JSON, asv results, "
        "Gungraun or iai-callgrind JSON, JMH JSON, nanobench JSON, hyperfine JSON, pyperf JSON, "
        "Criterion's folder or JSON, k6 summary, Catch2 XML, JUnit XML, PiBench text, "
        "go test text, Google Benchmark CSV, libMicro text"
    )
