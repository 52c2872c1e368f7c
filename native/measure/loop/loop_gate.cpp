#include <assay/measure/loop/loop_gate.hpp>
#include <assay/measure/loop/program_symbol.hpp>

#include <dlfcn.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace assay::loop_gate {
namespace {

constexpr const char* start_name = "_ZN9benchmark5State16StartKeepRunningEv";
constexpr const char* finish_name = "_ZN9benchmark5State17FinishKeepRunningEv";
constexpr unsigned char trap = 0xCC;  // int3

struct Breakpoint {
  unsigned char* at{nullptr};
  unsigned char original{0};
};

struct Gate {
  LoopCallbacks callbacks{};
  Breakpoint start{};
  Breakpoint finish{};
  struct sigaction previous {};
};

constinit Gate gate{};

bool write_code(unsigned char* at, unsigned char byte) noexcept {
  const auto size = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  auto* const page = at - reinterpret_cast<std::uintptr_t>(at) % size;
  if (mprotect(page, size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  *at = byte;
  return mprotect(page, size, PROT_READ | PROT_EXEC) == 0;
}

/// The `max_iterations` of the benchmark::State at this address. In every version since 1.5 it
/// follows two members of 8 bytes. The reader of the file checks it against Google Benchmark's own
/// output.
std::int64_t iterations_of(const void* state) noexcept {
  constexpr std::size_t offset = 16;
  std::int64_t iterations = 0;
  std::memcpy(&iterations, static_cast<const char*>(state) + offset, sizeof iterations);
  return iterations;
}

bool set(const Breakpoint& point) noexcept {
  return write_code(point.at, trap);
}

void remove_breakpoint(const Breakpoint& point) noexcept {
  write_code(point.at, point.original);
}

/// Handles a SIGTRAP that none of our breakpoints caused: the program's own handler gets it, or,
/// where there is none, the signal ends the program as it would without us.
void pass_on_signal(int signal, siginfo_t* info, void* context) noexcept {
  if ((gate.previous.sa_flags & SA_SIGINFO) != 0) {
    gate.previous.sa_sigaction(signal, info, context);
  } else if (gate.previous.sa_handler != SIG_DFL && gate.previous.sa_handler != SIG_IGN) {
    gate.previous.sa_handler(signal);
  } else {
    sigaction(SIGTRAP, &gate.previous, nullptr);
    raise(SIGTRAP);
  }
}

void on_breakpoint(int signal, siginfo_t* info, void* context) noexcept {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  auto& next = registers[REG_RIP];
  const auto behind = static_cast<std::uintptr_t>(next);
  if (behind == reinterpret_cast<std::uintptr_t>(gate.start.at) + 1) {
    remove_breakpoint(gate.start);
    set(gate.finish);
    --next;
    gate.callbacks.begun(iterations_of(reinterpret_cast<const void*>(registers[REG_RDI])));
  } else if (behind == reinterpret_cast<std::uintptr_t>(gate.finish.at) + 1) {
    gate.callbacks.ended();
    remove_breakpoint(gate.finish);
    set(gate.start);
    --next;
  } else {
    pass_on_signal(signal, info, context);
  }
}

/// The address of a function and the byte there: looked up among the exported symbols first, then
/// in the executable's own symbol table.
Breakpoint find(const char* name) noexcept {
  void* const exported = dlsym(RTLD_DEFAULT, name);
  void* const found = exported != nullptr ? exported : program_symbol(name);
  auto* const at = static_cast<unsigned char*>(found);
  return {.at = at, .original = at != nullptr ? *at : static_cast<unsigned char>(0)};
}

}  // namespace

Watched watch(LoopCallbacks callbacks) noexcept {
  gate.callbacks = callbacks;
  gate.start = find(start_name);
  gate.finish = find(finish_name);
  if (gate.start.at == nullptr || gate.finish.at == nullptr) return Watched::unknown;
  struct sigaction action {};
  action.sa_sigaction = on_breakpoint;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  if (sigaction(SIGTRAP, &action, &gate.previous) != 0) return Watched::refused;
  return set(gate.start) ? Watched::yes : Watched::refused;
}

}  // namespace assay::loop_gate
