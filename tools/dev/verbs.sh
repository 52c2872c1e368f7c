# The verbs themselves, each over tools that are set up by now.
# A command a line: of `a && b`, set -e sees only b fail.

run_tests() {
  case "${1:-}" in
    --asan) native_preset asan; native_tests asan; left_out asan; return ;;
    --tsan) threaded_tests; left_out tsan; return ;;
  esac
  native_tests release
  timed "Python tests" python_tests "$@"
  left_out release python
}

native_tests() { timed "native tests ($1)" ctest_of "$@"; }
# LeakSanitizer trips over its own notes on the thread-local storage of plug-ins.
ctest_of() {
  local preset=$1; shift
  rm -f "build/$preset/tests.xml"
  TSAN_OPTIONS="suppressions=$PWD/tools/dev/tsan.supp" ASAN_OPTIONS=intercept_tls_get_addr=0 \
    ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -j 2 \
    --output-junit tests.xml "$@"
}

# The test programs in which threads run (THREADED in the CMake files) and nothing else: the
# others are read by ThreadSanitizer for nothing.
# One test waits for a race to be lost, which its slowness prevents; release loses it.
threaded_tests() {
  native_preset tsan assay_threaded_tests
  native_tests tsan -L threads -E 'LockChecks.CatchReadersThatSeeHalfAWrite'
}

# Three workers, for most tests wait for the programs that they start: on two processors 27 minutes
# instead of 38 with two workers.
python_tests() {
  mkdir -p build/python
  rm -f build/python/tests.xml
  .venv/bin/python -m pytest -n 3 --dist loadgroup --durations 40 --durations-min 5 \
    --junitxml build/python/tests.xml "$@"
}

# What was not built or not run, by name; in CI what is not permitted fails.
left_out() { timed "left out" .venv/bin/python tools/left_out.py "$@"; }

run_lint() {
  timed "clang-format" clang_format --dry-run --Werror
  timed "ruff format"  .venv/bin/ruff format --check .
  timed "ruff check"   .venv/bin/ruff check .
  timed "mypy"         .venv/bin/mypy
  timed "house rules"  .venv/bin/python tools/house.py
  timed "CI recipes"   ci_recipes
  native_preset asan   # with warnings as errors; clang-tidy needs what it generates
  timed "clang-tidy"   .venv/bin/python tools/tidy.py "$@"
}

run_format() {
  clang_format -i
  .venv/bin/ruff format .
  .venv/bin/ruff check --fix .
}

# Against the schemas of GitHub and GitLab, which the package has with it.
ci_recipes() {
  .venv/bin/check-jsonschema -q --builtin-schema vendor.github-workflows examples/ci/github-*.yml examples/action/*.yml
  .venv/bin/check-jsonschema -q --builtin-schema vendor.github-actions action.yml comment/action.yml
  .venv/bin/check-jsonschema -q --builtin-schema vendor.gitlab-ci --data-transform gitlab-ci \
    examples/ci/gitlab-*.yml templates/*.gitlab-ci.yml
}

clang_format() { cpp_sources | xargs clang-format-14 "$@"; }
cpp_sources() { git ls-files -co --exclude-standard '*.cpp' '*.hpp' '*.h' '*.c'; }

# Each part by itself; all go on when one fails, and the end says which did.
run_soak() {
  .venv/bin/pip install --quiet --require-hashes --no-deps -r requirements/soak.txt
  .venv/bin/python -m soak "$@"
}

run_bench() { .venv/bin/python -m benchmarks "$@"; }
