// What tracers slow down: starting programs, system calls, page faults, reading files.
// Measured under the plans of examples/overhead: docs/guides/what-does-my-tracer-cost.md.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <string>

namespace {

std::string own_path() {
  std::array<char, 4096> own{};
  const ssize_t length = readlink("/proc/self/exe", own.data(), own.size());
  return {own.data(), length > 0 ? static_cast<std::size_t>(length) : 0};
}

// The tiny program that is started, in this program's own folder.
std::string nothing_path() {
  const std::string own = own_path();
  return own.substr(0, own.rfind('/') + 1) + "exec_nothing";
}

// As libMicro's exec: fork, execv of a program that only ends, waitpid.
void exec(benchmark::State& state) {
  const std::string path = nothing_path();
  const std::array<char*, 2> arguments{const_cast<char*>(path.c_str()), nullptr};
  for (auto _ : state) {
    const pid_t child = fork();
    if (child == 0) {
      execv(path.c_str(), arguments.data());
      _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
      state.SkipWithError("exec_nothing could not be started: is it beside this program?");
      break;
    }
  }
}
BENCHMARK(exec);

void getpid_call(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(syscall(SYS_getpid));
}
BENCHMARK(getpid_call)->Name("getpid");

// Touches 4 MB of fresh memory. Aligned, so that huge pages fit where they are allowed.
void page_faults(benchmark::State& state) {
  constexpr std::size_t huge = std::size_t{2} << 20;
  constexpr std::size_t size = 2 * huge;
  for (auto _ : state) {
    void* const memory = mmap(nullptr, size + huge, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      state.SkipWithError("no memory to map");
      break;
    }
    const std::size_t offset = (huge - reinterpret_cast<std::size_t>(memory) % huge) % huge;
    auto* const bytes = static_cast<volatile char*>(memory) + offset;
    for (std::size_t at = 0; at < size; at += 4096) bytes[at] = 1;
    munmap(memory, size + huge);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(size));
}
BENCHMARK(page_faults);

// Opens, reads and closes this program's own file: who watches its folder sees each of the three.
void file_read(benchmark::State& state) {
  const std::string path = own_path();
  std::array<char, 4096> buffer{};
  for (auto _ : state) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, buffer.data(), buffer.size()) < 0) {
      state.SkipWithError("cannot read this program's own file");
      break;
    }
    close(file);
  }
}
BENCHMARK(file_read);

}  // namespace

BENCHMARK_MAIN();
