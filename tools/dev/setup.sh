# What each verb needs. apt packages when root, else the exact line to run.

# make: a CMake project that names no generator, as the recipes of users do, is built by it.
BUILD_PACKAGES=(g++ cmake make ninja-build ccache libbenchmark-dev libcli11-dev
  nlohmann-json3-dev zlib1g-dev libpfm4-dev python3-venv python3-dev git)
# What the labs drive and compare with; each part is left out where its library is missing.
LAB_PACKAGES=(libabsl-dev libleveldb-dev librocksdb-dev liblmdb-dev libsqlite3-dev libpmemobj-dev
  liburing-dev libboost-dev libtbb-dev libconcurrentqueue-dev libreaderwriterqueue-dev libxxhash-dev
  libflatbuffers-dev flatbuffers-compiler libprotobuf-dev protobuf-compiler libcapnp-dev capnproto
  libmsgpack-dev)
TEST_PACKAGES=(libgtest-dev clang-14 clang-tidy-14 libclang-rt-14-dev
  chromium-headless-shell fonts-dejavu-core libjemalloc-dev libmimalloc-dev libgoogle-perftools-dev
  bpftrace auditd strace linux-perf valgrind zstd zsh fish groff-base man-db
  mandoc g++-aarch64-linux-gnu)
# Installing sshd opens a machine to others, which is for its owner to decide; in CI it is nobody's.
[ "${CI:-}" != true ] || TEST_PACKAGES+=(openssh-server)
LINT_PACKAGES=(clang-format-14)

setup_runtime() { packages "${BUILD_PACKAGES[@]}"; venv runtime; assay_installed; }
setup_all()     { packages "${BUILD_PACKAGES[@]}" "${LAB_PACKAGES[@]}" "${TEST_PACKAGES[@]}"; venv dev; assay_installed; native_preset release; labs_installed; }
setup_lint()    { packages "${BUILD_PACKAGES[@]}" "${LAB_PACKAGES[@]}" "${TEST_PACKAGES[@]}" "${LINT_PACKAGES[@]}"; venv dev; }

packages() {
  local missing=()
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -ne 0 ]; then
    die "missing packages; run: sudo apt-get install -y ${missing[*]}"
  fi
  timed "installing ${#missing[@]} packages: ${missing[*]:0:4} ..." install_packages "${missing[@]}"
}
install_packages() {
  quietly apt-update apt-get update
  DEBIAN_FRONTEND=noninteractive quietly apt apt-get -o Acquire::Retries=3 install -y --no-install-recommends "$@"
}

# venv runtime|dev: dev holds what runtime holds, so either satisfies the first.
venv() {
  [ "$1" = runtime ] && [ -f build/stamps/venv-dev ] && [ -x .venv/bin/python ] && return 0
  [ -x .venv/bin/python ] || rm -f build/stamps/venv-*
  step "venv-$1" "Python packages (requirements/$1.txt)" "make_venv_$1" "requirements/$1.txt"
}
make_venv_runtime() { make_venv runtime; }
make_venv_dev()     { make_venv dev; }
make_venv() {
  [ -x .venv/bin/python ] || "$(system_python)" -m venv .venv
  quietly pip .venv/bin/python -m pip install --disable-pip-version-check --require-hashes -r "requirements/$1.txt"
}

# Debian's own, for which python3-dev is installed; else whatever python3 is.
system_python() { if [ -x /usr/bin/python3 ]; then echo /usr/bin/python3; else command -v python3; fi; }

# The package itself, editable: Python from src/, native parts built and installed.
assay_installed() {
  [ -x .venv/bin/assay ] || rm -f build/stamps/assay
  # What is installed knows each module by its file: where x.py became x/__init__.py it looks for x.py.
  mkdir -p build/stamps
  find src/assay -name '*.py' | sort > build/stamps/modules
  step assay "building and installing assay" install_assay \
    native labs examples cmake CMakeLists.txt CMakePresets.json pyproject.toml src/assay/__init__.py build/stamps/modules
}
install_assay() {
  quietly install .venv/bin/python -m pip install --disable-pip-version-check \
    --no-deps --no-build-isolation --config-settings=cmake.define.ASSAY_BUILD_LABS=OFF --editable .
  # The charts' runtime is bundled once a user; the first report need not wait for it.
  .venv/bin/python -c 'from assay.show.page.vega import runtime; runtime()'
}

# The demo needs no lab: they come from the release build, which is made for the tests anyway.
labs_installed() { quietly install-labs cmake --install build/release --prefix "$PWD/.venv" --component runtime; }

# native_preset PRESET [TARGET]: configured and built; ninja itself knows when nothing changed.
native_preset() {
  if [ ! -f "build/$1/build.ninja" ]; then quietly "configure-$1" cmake --preset "$1"; fi
  PRESET=$1 TARGET=${2:-all} step "native-$1" "native build ($1)" build_preset \
    native labs examples benchmarks cmake tests/native CMakeLists.txt CMakePresets.json
}
build_preset() { quietly "build-$PRESET" cmake --build "build/$PRESET" --target "$TARGET"; }
