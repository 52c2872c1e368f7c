"""PiBench's reports: what each line of one becomes."""

import pytest

from assay.errors import InputError
from assay.model import Record, Sample
from assay.record.formats.pibench import looks_like, parse

OPTIONS = (
    "Environment:\n\tTime: Fri Nov 20\n\tCPU: 2 * AMD EPYC\n\tKernel: Linux 6.18\n"
    "Benchmark Options:\n\tTarget: ./stlmap_wrapper.so\n\t# Threads: 2\n\t# Operations: 500\n"
    "Load verified; benchmark started.\n"
)
RUN = "\tRun time: 2000 milliseconds\n"
OTHER_UNITS = "gives `Run time` in other units than milliseconds"
AGAIN = "is it complete? write it again with the tool that made it"


def parsed(text: str) -> Record:
    return parse(text.encode(), "f")


def samples(text: str) -> list[tuple[str, int, int, dict[str, tuple[float, ...]]]]:
    return [(one.benchmark, one.launch, one.iterations, one.values) for one in parsed(text).samples]


def of_all(text: str) -> Sample:
    return parsed(text).samples[0]


def test_facts_of_a_report() -> None:
    found = parsed(f"{OPTIONS}Overview:\n{RUN}")
    assert found.context == {"date": "Fri Nov 20", "num_cpus": 2}
    assert found.facts.written == {
        "tool": "PiBench",
        "host": {"cpu_model": "AMD EPYC", "kernel": "Linux 6.18"},
        "pibench": {"Target": "./stlmap_wrapper.so", "# Threads": "2", "# Operations": "500"},
    }


@pytest.mark.parametrize(
    ("cpu", "context", "host"),
    [
        ("\tCPU: many * X\n", {}, {"cpu_model": "X"}),
        ("\tCPU: 123456 * X\n", {"num_cpus": 123_456}, {"cpu_model": "X"}),
        ("\tCPU: 1234567 * X\n", {}, {"cpu_model": "X"}),
        ("\tCPU: 8\n", {"num_cpus": 8}, {}),
        ("", {}, {}),
    ],
)
def test_what_is_said_of_the_cpu(cpu: str, context: object, host: dict[str, str]) -> None:
    text = f"Environment:\n{cpu}Benchmark Options:\n\t# Threads: 1\n\t# Operations: 1\nR:\n{RUN}"
    found = parsed(text)
    assert found.context == context
    assert found.facts.written.get("host", {}) == host


@pytest.mark.parametrize(
    ("results", "operations"),
    [
        ("", 500),
        ("Overview:\n\t- Completed: 300 ops/s\n", 600),
        ("Results:\n\tOperations: 800\n\t- Completed: 300 ops/s\n", 800),
        ("Results:\n\tOperations: 0\n\t- Completed: 300 ops/s\n", 600),
        ("Results:\n\tOperations: 0\n", 500),
    ],
)
def test_how_many_operations_were_done(results: str, operations: int) -> None:
    rate = operations / 2.0
    values = {"real_time": (1e9 / rate,), "items_per_second": (rate,)}
    assert samples(f"{OPTIONS}{RUN}{results}") == [("stlmap_wrapper/all", 0, operations, values)]


@pytest.mark.parametrize(
    ("threads", "counted"), [("# Threads: 0", 1), ("# Threads: 1", 1), ("# Threads: 3", 3)]
)
def test_threads_and_unit(threads: str, counted: int) -> None:
    one = of_all(f"{OPTIONS}{RUN}".replace("# Threads: 2", threads))
    assert (one.threads, one.time_unit) == (counted, "ns")


def test_a_report_without_a_target_is_of_pibench() -> None:
    text = f"{OPTIONS}{RUN}"
    assert of_all(text.replace("\tTarget: ./stlmap_wrapper.so\n", "")).benchmark == "pibench/all"
    assert of_all(text.replace("./stlmap_wrapper.so", "")).benchmark == "pibench/all"
    assert of_all(text.replace("./stlmap", "a/b/map")).benchmark == "map_wrapper/all"


def test_operations_that_are_counted_apart_are_benchmarks_of_their_own() -> None:
    """None has more iterations than there were operations."""
    kinds = [("Insert", 10), ("Read", 20), ("Update", 40), ("Remove", 50), ("Scan", 9_000)]
    lines = "".join(f"\t- {kind} completed: {rate}.0 ops/s\n" for kind, rate in kinds)
    found = samples(f"{OPTIONS}{RUN}Results:\n{lines}\t- Scan succeeded: 1 ops/s\n")
    assert found[1:] == [
        (
            f"stlmap_wrapper/{kind.lower()}",
            0,
            min(2 * rate, 500),
            {"real_time": (1e9 / rate,), "items_per_second": (float(rate),)},
        )
        for kind, rate in kinds
    ]
    none = f"{OPTIONS}{RUN}Results:\n\t- Read completed: 0 ops/s\n"
    assert [name for name, *_ in samples(none)] == ["stlmap_wrapper/all"]


def test_counters_are_of_an_operation_and_latencies_as_they_are() -> None:
    text = (
        f"{OPTIONS}{RUN}PCM Metrics:\n\tL3 misses: 1000\n\tDRAM Reads (bytes): 2000\n"
        "\tDRAM Writes (bytes): 3000\n\tNVM Reads (bytes): 4000\n\tNVM Writes (bytes): 5000\n"
        "Latencies (9 operations observed):\n\tmin: 1\n\t50%: 2\n\t99.9%: 3\n\tmax: 4\n\tavg: 9\n"
    )
    values = of_all(text).values
    assert {key: one for key, (one,) in values.items()} == {
        "real_time": 4e6,
        "items_per_second": 250.0,
        "cache-misses": 2.0,
        "dram-read-bytes": 4.0,
        "dram-write-bytes": 6.0,
        "pmem-read-bytes": 8.0,
        "pmem-write-bytes": 10.0,
        "latency_min": 1.0,
        "p50": 2.0,
        "p99.9": 3.0,
        "max": 4.0,
    }


def test_several_reports_are_launches_and_facts_are_those_of_the_first() -> None:
    other = OPTIONS.replace("AMD EPYC", "other")
    found = parsed(f"Environment:\n\tTime: x\n{OPTIONS}{RUN}{other}{RUN}")
    assert [(one.benchmark, one.launch) for one in found.samples] == [
        ("stlmap_wrapper/all", 0),
        ("stlmap_wrapper/all", 1),
    ]
    assert found.facts.host.cpu_model == "AMD EPYC"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x", "holds no measurement of PiBench; measure again"),
        (OPTIONS, f"does not say `Run time`; {AGAIN}"),
        (f"{OPTIONS}\tRun time: 3 s\n", f"{OTHER_UNITS}; {AGAIN}"),
        (f"{OPTIONS}\tRun time: 3\n", f"{OTHER_UNITS}; {AGAIN}"),
        (f"{OPTIONS}\tRun time: x milliseconds\n", f"has Run time = 'x', no number; {AGAIN}"),
        (f"{OPTIONS}\tRun time: 0 milliseconds\n", f"has no operation in its run time; {AGAIN}"),
        (
            f"{OPTIONS}{RUN}".replace(": 500", ": 0"),
            f"has no operation in its run time; {AGAIN}",
        ),
        (f"{OPTIONS}{RUN}".replace("# Threads: 2", ""), f"does not say `# Threads`; {AGAIN}"),
        (f"{OPTIONS}{RUN}".replace(": 500", ":"), f"has # Operations = '', no number; {AGAIN}"),
        (f"{OPTIONS}{RUN}Latencies:\n\t50%: -1\n", f"benchmark 'all' has 50% = -1.0; {AGAIN}"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        parsed(text)
    assert str(refused.value) == f"f: {said}"


@pytest.mark.parametrize(
    ("text", "is_pibench"),
    [
        ("Benchmark Options:\n\tKey distribution: x", True),
        ("Benchmark Options:\n", False),
        ("Key distribution:\n", False),
        (f"{' ' * 65_501}Benchmark Options:Key distribution:", True),
        (f"{' ' * 65_502}Benchmark Options:Key distribution:", False),
    ],
)
def test_what_is_taken_for_a_report(text: str, is_pibench: bool) -> None:
    assert looks_like(text.encode()) is is_pibench
