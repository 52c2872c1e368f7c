"""What tests do with each command and other block that the documents show.

The `assay` commands of README are in `readme_commands.py`; those of the tutorial are run by
`tests/python/cli/test_tutorial.py`. Every other command is in `RUNS` (run here, in the order of the
document), in `ELSEWHERE` (run by the file named there), or in `NOT_RUN`, with the reason.
"""

from typing import NamedTuple

FEW = " --rounds 2 --budget 2 -q"


class Run(NamedTuple):
    """How a command is run here: with words added, or with some of its words replaced."""

    after: str = ""
    instead: tuple[tuple[str, str], ...] = ()
    codes: tuple[int, ...] = (0,)
    says: str = ""
    within: str = "."  # the folder in which it is typed

    def line(self, command: str) -> str:
        """The command that is run instead of the one shown."""
        line = command + self.after.replace("<", "\\<").replace(">", "\\>")
        for written, less in self.instead:
            assert written in line, f"{written} is not in {line}"
            line = line.replace(written, less)
        return line


# A gate with so few rounds has no interval, and exits with 4, which is no failure here.
_UNJUDGED = (0, 4)
_PROJECT = "project"  # a copy of examples/03_cmake_project
_SMALL = " -n 1000 -p 1000"
_BRIEF = Run(" -C 20 -D 5 -S")
_WORDS = {"within": "words"}

_CONFIGURE = 'cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$PWD/.venv"'
_FAILS_UNJUDGED = (0, 8)  # exit codes of ctest, whose gate has few rounds

RUNS: dict[str, dict[str, Run]] = {
    "README.md": {
        "cmake --build build --target bench": Run(
            instead=(("cmake", f"{_CONFIGURE} && cmake"),), says="joins_words/64", within=_PROJECT
        ),
        "ctest --test-dir build -R bench: --verbose # those that are tests": Run(
            says="joins_words/64", within=_PROJECT
        ),
        "ctest --test-dir build -R compare:": Run(
            codes=_FAILS_UNJUDGED, says="compare:words", within=_PROJECT
        ),
    },
    "docs/guides/ctest-and-ci.md": {
        _CONFIGURE: Run(says="Build files have been written", within=_PROJECT),
        "cmake --build build": Run(within=_PROJECT),
        "ctest --test-dir build -LE benchmark --output-on-failure": Run(within=_PROJECT),
        "ctest --test-dir build -L benchmark --verbose --no-tests=error": Run(
            codes=_FAILS_UNJUDGED, says="joins_words/64", within=_PROJECT
        ),
        "ctest --test-dir build -N": Run(says="Test #2: compare:words", within=_PROJECT),
    },
    "docs/guides/counting-allocations.md": {
        "for each in naive reserved; do "
        "copy_element_$each --benchmark_filter='CopyElement/2$'; done": Run(says="CallsToRealloc"),
        "assay compare copy_element_naive copy_element_reserved --filter CopyElement/2": Run(
            FEW, (("_naive", "_naive.link"), ("_reserved", "_reserved.link"))
        ),
        "assay run --allocations 'cmd:sort big.txt'": Run(FEW, says="sort big.txt"),
        "assay run --allocations someone_elses_bench": Run(FEW + " --filter hash_std"),
    },
    "docs/guides/first-benchmark.md": {
        "cmake -S . -B build -DCMAKE_PREFIX_PATH=$PWD/.venv -DCMAKE_BUILD_TYPE=Release": Run(
            says="Build files have been written", within=_PROJECT
        ),
        "cmake --build build --target run-words_once_bench": Run(
            says="joins_words/64", within=_PROJECT
        ),
        ".venv/bin/assay compare build/words_grow_bench build/words_once_bench": Run(
            FEW, (("build/words_grow", "build/words_once"),), says="joins_words/4", within=_PROJECT
        ),
    },
    "docs/guides/history.md": {
        "examples/08_history/make_repository.sh words": Run(instead=((" words", " more"),)),
        "cd words": Run(),
        "assay runs": Run(says="git:v1.1", **_WORDS),
        "assay runs label LAST release/1.1": Run(**_WORDS),
        "assay runs show release/1.1": Run(says="BM_format", **_WORDS),
        "assay compare run:release/1.1 run:LAST": Run(says="BM_format", **_WORDS),
        "assay runs export LAST -o last.json": Run(**_WORDS),
        "assay runs delete LAST": Run(**_WORDS),
        "assay runs compact": Run(says="runs are in 1 pack", **_WORDS),
        "assay runs import ci/results/*.json": Run(**_WORDS),
        "for revision in $(git log --reverse --format=%h v1.1); "
        "do assay run git:$revision -q; done": Run(
            instead=(("--format=%h v1.1", "--format=%h -3 v1.1"), (" -q", FEW)), **_WORDS
        ),
        "assay history": Run(says="BM_format", **_WORDS),
        "assay history --confirm": Run(says="BM_format", **_WORDS),
        "assay bisect v1.0 v1.1 --filter BM_format": Run(
            # How certain it becomes depends on the machine.
            codes=(0, 4),
            says="BM_format",
            **_WORDS,
        ),
        "assay gate": Run(FEW, says="both sides are the same program", **_WORDS),
    },
    "docs/guides/import.md": {
        "assay compare old.json new.json": Run(says="one after the other"),
        "assay compare old.json build/bench": Run(
            f"{FEW} --filter 'BM_One|hash_std' --base-filter BM_One --candidate-filter hash_std"
        ),
        "assay report old.json new.json -o page.html": Run(),
    },
    "docs/guides/index-lab.md": {
        "assay index stlmap -n 1000000 -p 5000000 -t 2 -r 0.8 -u 0.2 "
        "--distribution zipfian --latency_sampling 1": Run(
            instead=(("-n 1000000", "-n 1000"), ("-p 5000000", "-p 5000")),
            says="stlmap",
        ),
        "assay report sweep.json --filter mixed/zipfian --chart threads -o threads.png": Run(),
        "assay compare sweep.json sweep.json --base-filter ^stlmap/ "
        "--candidate-filter ^absl_btree/ --filter /all": Run(says="all"),
    },
    "docs/guides/index-plugins.md": {
        "g++ -std=c++20 -O2 -shared -fPIC -I.venv/include -o libflat_map.so "
        "examples/05_index_plugin/flat_map.cpp": Run(),
        "assay index ./libflat_map.so -n 20000 -p 40000 -t 2 -r 0.5 -i 0.5 --verify": Run(
            says="flat_map"
        ),
        "assay index --crash 50 lmdb": Run(" -n 200", (("50", "1"),), says="lmdb"),
    },
    "docs/guides/trust.md": {
        "assay trust build/bench": Run(" --filter hash_std --budget 2s -q", says="a copy"),
    },
    "docs/guides/instructions.md": {
        "assay compare old/bench new/bench --instrument instructions --gate": Run(
            " --filter hash_std -q", says="instructions"
        ),
        "assay run git:main --instrument instructions -o main.json": Run(
            " --filter BM_checksum -q", **_WORDS
        ),
        "assay compare main.json build/bench --instrument instructions --gate": Run(
            " --filter BM_checksum -q", says="BM_checksum", **_WORDS
        ),
        "assay compare old/bench new/bench --instrument instructions --why": Run(
            " --filter hash_std -q", says="instructions"
        ),
    },
    "docs/guides/os-lab.md": {
        "assay os list": Run(says="getpid"),
        "assay os memset strlen -s 1k": _BRIEF._replace(says="memset"),
        "assay os exec -E -C 10000 -D 10 -L -S -N exec --report libmicro": Run(
            instead=(("-C 10000", "-C 20"),), says="exec"
        ),
        "assay compare base/assay-os-bench new/assay-os-bench --filter '^os/strlen'": Run(
            FEW, (("^os/strlen", "^os/strlen/size:10$"),), says="os/strlen"
        ),
        "assay run \"$(assay os list --target)\" --filter '^os/(open|close)'": Run(
            FEW, (("^os/(open|close)", "^os/close/"),), says="os/close"
        ),
    },
    "docs/guides/primitives-suite.md": {
        "assay suite primitives --only stream --html f.html": Run(
            " -q --quick --filter bench_stream"
        ),
        "assay suite primitives --quick -o suite.json": Run(" --only ref --filter ref_copy -q"),
        "assay report suite.json --chart decision --filter 'bench_ref_(create|move|copy)' "
        "-o suite-ref.png": Run(),
        "assay compare libexec/assay/suites/primitives/ref libexec/assay/suites/primitives/ref \\\n"
        "    --base-filter shared --candidate-filter intrusive": Run(
            FEW, (("shared", "ref_copy.*shared"), ("intrusive", "ref_copy.*intrusive"))
        ),
    },
    "docs/guides/reports.md": {
        "assay compare old/bench new/bench --html report.html": Run(FEW),
        "assay run build/bench --html run.html": Run(FEW),
        "assay report record.json -o report.html": Run(),
        "assay report base.json candidate.json -o report.html": Run(),
        "assay multiview base0.out bpf*.out audit*.out -o sheet.html": Run(),
        "assay report record.json -o forest.svg": Run(),
        "assay report record.json -o rounds.png --chart changes "
        "--benchmark 'BM_Sort/1024' --theme dark": Run(instead=(("BM_Sort/1024", "hash_std"),)),
        "assay compare old new --markdown comment.md --junit junit.xml --json results.json": Run(
            FEW, (("old new", "old/bench new/bench"),)
        ),
        "assay report record.json -o junit.xml": Run(),
    },
    "docs/guides/restore-suite.md": {
        "build/release/libexec/assay/suites/restore/tree "
        "--benchmark_filter='nested/numeric/1000000/'": Run(
            " --benchmark_list_tests", says="nested/numeric/1000000"
        ),
        "assay compare build/release/libexec/assay/suites/restore/tree \\\n"
        "    build/release/libexec/assay/suites/restore/tree "
        "--base-filter MapTree --candidate-filter CompactTree": Run(
            FEW,
            (
                ("MapTree", "'populatetree<MapTree>/nested/numeric/100000/'"),
                ("CompactTree", "'populatetree<CompactTree>/nested/numeric/100000/'"),
            ),
        ),
        "find /home -printf '%D %i %m %n %U %G %s %T@ %y %p\\0' > home.listing": Run(
            instead=(("/home", "examples/"),)
        ),
        "build/release/libexec/assay/suites/restore/tree --restore_listing=home.listing "
        "--benchmark_filter=listing": Run(" --benchmark_min_time=0.01", says="listing"),
    },
    "docs/guides/revisions.md": {
        "assay compare git:main git:HEAD": Run(FEW, says="BM_format", **_WORDS),
        "assay compare git:main .": Run(FEW, says="BM_format", **_WORDS),
        "assay compare git:main . --placements 8": Run(
            FEW, (("--placements 8", "--placements 2"),), says="BM_format", **_WORDS
        ),
        # The command before this one compares a commit with itself, of which no run is kept.
        "assay compare run:LAST --margin 1%": Run(
            instead=(("assay compare", f"assay compare git:v1.0 git:v1.1{FEW} && assay compare"),),
            says="BM_format",
            **_WORDS,
        ),
    },
    "docs/guides/shared-history.md": {
        "mkdir ../history": Run(**_WORDS),
        "assay runs push ../history": Run(says="pushed 1 run to", **_WORDS),
        "assay runs pull ../history": Run(says="pulled 0 runs from", **_WORDS),
        "assay runs --store ../history": Run(says="git:v1.1", **_WORDS),
        "git init --quiet --bare ../history.git": Run(**_WORDS),
        "assay runs push git:../history.git": Run(says="pushed 1 run to", **_WORDS),
        "assay runs pull git:../history.git": Run(says="pulled 0 runs from", **_WORDS),
    },
    "docs/guides/what-does-my-tracer-cost.md": {
        "assay overhead examples/overhead/exec.toml": Run(
            FEW, (("exec.toml", "seccomp.toml"),), says="overhead"
        ),
        "assay overhead examples/overhead/seccomp.toml -o record.json --html page.html": Run(
            FEW, says="overhead"
        ),
        "assay report record.json -o again.html": Run(says="again.html"),
    },
    "docs/guides/why.md": {
        "assay why base/bench candidate/bench": Run(" -q --filter hash_std --stages work"),
        "assay why base/bench candidate/bench --html why.html": Run(
            " -q --filter hash_std --stages work"
        ),
    },
    "docs/guides/pages.md": {
        "assay serve": Run(" --export one", says="one/index.html", **_WORDS),
        "assay serve --bind 0.0.0.0 --port 8000 --name bench.example.org": Run(
            " --export two", says="two/index.html", **_WORDS
        ),
        "assay serve --export site": Run(says="site/index.html", **_WORDS),
    },
}


class Elsewhere(NamedTuple):
    """Another file that runs the command, and the text in it that does."""

    file: str
    text: str


ELSEWHERE: dict[str, dict[str, Elsewhere]] = {
    "docs/guides/install.md": {
        "python3 -m venv assay-env": Elsewhere("tests/support/wheel.py", "venv.create(folder"),
        "assay-env/bin/pip install dist/assay-*.whl": Elsewhere(
            "tests/support/wheel.py", 'pip(folder / "bin" / "python", "install"'
        ),
        "assay-env/bin/pip uninstall --yes assay": Elsewhere(
            "tests/python/packaging/test_installed.py", '"uninstall", "--yes", "assay"'
        ),
        "./dev wheel": Elsewhere("tests/python/packaging/test_installed.py", "release.main(only)"),
    },
    "CONTRIBUTING.md": {
        "./dev demo": Elsewhere(".ci/run", '"./dev demo"'),
        "./dev test": Elsewhere(".ci/run", '"./dev test"'),
        "./dev lint": Elsewhere(".ci/run", '"./dev lint"'),
        "./dev setup": Elsewhere("dev", "test)   shift; setup_all;"),
        "./dev soak": Elsewhere("tools/dev/verbs.sh", "run_soak() {"),
        "./dev site": Elsewhere("tests/browser/test_site.py", "site.build("),
        "./dev wheel": Elsewhere("tests/python/packaging/test_installed.py", "release.main(only)"),
        "./dev mutants": Elsewhere("tests/python/tools/test_mutants.py", "mutants.survived("),
        "./dev watch": Elsewhere("tests/python/tools/test_watch.py", "watch"),
        "./dev format": Elsewhere("tests/python/tools/test_dev.py", "run_format"),
    },
    "README.md": {"./dev demo": Elsewhere(".ci/run", '"./dev demo"')},
    "docs/guides/first-benchmark.md": {
        "python3 -m venv .venv && .venv/bin/pip install path/to/assay": Elsewhere(
            "tests/support/wheel.py", "venv.create("
        ),
    },
    "docs/guides/history.md": {
        "./dev wheel --arch x86_64": Elsewhere(
            "tests/python/packaging/test_installed.py", "release.main(only)"
        ),
    },
    "docs/guides/shared-history.md": {
        command: Elsewhere("tests/python/cli/test_sharing.py", "def test_the_remote_of_assay_toml")
        for command in ("assay runs pull", "assay run git:HEAD", "assay runs push")
    },
    "docs/tutorial/first-comparison.md": {"./dev demo": Elsewhere(".ci/run", '"./dev demo"')},
}

_BENCH = "a bench measures for minutes; that there is one of this name is checked"
_HOURS = "it measures everything, which takes ten minutes to hours"
_OTHERS = "it fetches another project from the network"
_TO_COME = "NAME stands for a case that the reader is about to write"
NOT_RUN: dict[str, dict[str, str]] = {
    "labs/os/CASES.md": {
        "cmake --build build/release --target assay-os assay-launch": (
            "it would build while other tests use what is built"
        ),
        "build/release/libexec/assay/assay-os NAME -S": _TO_COME,
        "ASSAY_LIBEXEC=build/release/libexec/assay .venv/bin/assay os NAME -S "
        "--report libmicro": _TO_COME,
    },
    "CONTRIBUTING.md": {
        "./dev bench": _BENCH,
        ".venv/bin/python -m pytest tests/python/judge/test_look.py": "a test of these tests",
        ".venv/bin/python -m pytest tests/python/judge/test_look.py -k settled": (
            "a test of these tests"
        ),
        "cmake --build build/release --target assay_base_tests && "
        "build/release/tests/assay_base_tests --gtest_filter='Result.*'": (
            "it would build while other tests use what is built; ctest runs the program"
        ),
        "pip-compile --strip-extras --generate-hashes --no-emit-index-url "
        "--no-emit-trusted-host \\\n    --no-emit-find-links \\\n"
        "    --allow-unsafe -o requirements/dev.txt requirements/dev.in": (
            "it asks a registry for the newest versions, which differ from day to day"
        ),
    },
    "docs/guides/counting-allocations.md": {"./dev bench allocation_cost": _BENCH},
    "docs/guides/index-lab.md": {
        "assay index absl_btree -n 100000000 -p 10000000": "it needs 5 GB and a minute of loading"
    },
    "docs/guides/os-lab.md": {
        "assay os all --budget 5m -o os.json": _HOURS,
        "assay os all --filter '^(open|close|stat)' --report libmicro > files.out": _HOURS,
        "./dev bench os_repeatability": _BENCH,
    },
    "docs/guides/primitives-suite.md": {
        "assay suite primitives": _HOURS,
        "assay suite primitives --quick": _HOURS,
        "assay report suite.json --chart decision --filter 'bench_(hash|memcpy)' "
        "-o suite-hash-memcpy.png": "its rows take minutes to measure; the one above it is run",
    },
    "docs/guides/restore-suite.md": {
        "build/release/libexec/assay/suites/restore/tree --restore_csv=rows.csv "
        "--benchmark_filter=csv": (
            "it needs a catalogue of a backup system; its reader has native tests"
        ),
    },
    "docs/guides/revisions.md": {
        "git clone https://github.com/gabime/spdlog && cd spdlog": _OTHERS,
        "cat > assay.toml <<'END'\n[build]\ncommands = [\n"
        '  "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DSPDLOG_BUILD_BENCH=ON",\n'
        '  "cmake --build build --target latency",\n]\n[suites.main]\n'
        'run = "build/bench/latency"\nEND': _OTHERS,
        "assay compare git:v1.8.0 git:v1.13.0 --filter 'null_sink_st$' --budget 100s": _OTHERS,
    },
    "docs/guides/what-does-my-tracer-cost.md": {
        "assay overhead examples/overhead/exec.toml --condition bpftrace --condition auditd": (
            "it changes the audit rules of the machine; tests/python/cli/test_overhead.py does so"
        ),
        "assay overhead examples/overhead/exec.toml --condition auditd & sleep 10; kill -9 $!": (
            "it changes the audit rules of the machine; tests/python/cli/test_overhead.py does so"
        ),
        "auditctl -l": "it looks at the audit rules of the machine",
        "assay --version": "it undoes what the killed run left; tests/python/cli/test_overhead.py",
    },
    "docs/guides/why.md": {
        "assay why v5.0.0/bench v5.1.0/bench --filter 'r64FrozenDeserialize/1000/65536$'": _OTHERS
    },
}
