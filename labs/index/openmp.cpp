#include <assay/index/openmp.hpp>

#include <dlfcn.h>

#include <array>

namespace assay::index {
namespace {

/// Functions of an OpenMP runtime, found by name. GOMP_parallel is GCC's entry point; LLVM's and
/// Intel's runtimes have it too.
struct Runtime {
  void (*parallel)(void (*function)(void*), void* data, unsigned threads, unsigned flags){nullptr};
  int (*thread_number)(){nullptr};
  int (*thread_limit)(){nullptr};
  void (*set_dynamic)(int){nullptr};

  [[nodiscard]] bool is_whole() const {
    return parallel != nullptr && thread_number != nullptr && thread_limit != nullptr &&
           set_dynamic != nullptr;
  }
};

struct Task {
  const Runtime& runtime;
  const std::function<void(std::uint32_t)>& work;
};

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

Runtime loaded_runtime() {
  static constexpr std::array<const char*, 3> libraries{"libgomp.so.1", "libomp.so.5",
                                                        "libiomp5.so"};
  Runtime runtime;
  for (const char* const name : libraries) {
    void* const library = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
    if (library == nullptr) continue;
    find(library, "GOMP_parallel", runtime.parallel);
    find(library, "omp_get_thread_num", runtime.thread_number);
    find(library, "omp_get_thread_limit", runtime.thread_limit);
    find(library, "omp_set_dynamic", runtime.set_dynamic);
    if (runtime.is_whole()) break;
  }
  return runtime;
}

void run_task(void* data) {
  const Task& task = *static_cast<const Task*>(data);
  task.work(static_cast<std::uint32_t>(task.runtime.thread_number()));
}

}  // namespace

bool has_openmp() {
  return loaded_runtime().is_whole();
}

bool run_by_openmp(std::uint32_t threads, const std::function<void(std::uint32_t)>& work) {
  const Runtime runtime = loaded_runtime();
  if (!runtime.is_whole()) return false;
  if (runtime.thread_limit() < static_cast<int>(threads)) return false;
  runtime.set_dynamic(0);  // otherwise OpenMP may start fewer threads than asked for
  Task task{.runtime = runtime, .work = work};
  runtime.parallel(run_task, &task, threads, 0);
  return true;
}

}  // namespace assay::index
