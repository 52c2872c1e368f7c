# The verbs themselves, each over tools that are set up by now.

run_tests() {
  case "${1:-}" in
    --asan|--tsan|--ubsan) local preset=${1#--}; native "$preset"; native_tests "$preset"; return ;;
  esac
  native_tests release
  say "Python tests"
  .venv/bin/python -m pytest -n 2 --dist loadgroup "$@"
}

native_tests() {
  say "native tests ($1)"
  # g++ 12's LeakSanitizer trips over its own notes on the thread-local storage of plug-ins.
  TSAN_OPTIONS="suppressions=$PWD/tools/dev/tsan.supp" ASAN_OPTIONS=intercept_tls_get_addr=0 \
    ctest --test-dir "build/$1" --output-on-failure --no-tests=error
}

run_lint() {
  local sources; sources=$(cpp_sources)
  say "clang-format"; printf '%s\n' "$sources" | xargs clang-format-14 --dry-run --Werror
  say "ruff";         .venv/bin/ruff format --check . && .venv/bin/ruff check .
  say "mypy";         .venv/bin/mypy
  say "house rules";  .venv/bin/python tools/house.py
  say "clang-tidy";   .venv/bin/python tools/tidy.py
}

run_format() {
  cpp_sources | xargs clang-format-14 -i
  .venv/bin/ruff format . && .venv/bin/ruff check --fix .
}

cpp_sources() { git ls-files -co --exclude-standard '*.cpp' '*.hpp' '*.h' '*.c'; }

run_bench() { .venv/bin/python -m benchmarks "$@"; }
