// semop: a System V semaphore up and down again.
#include <assay/os/harness/case.hpp>
#include <assay/os/harness/scratch.hpp>

#include <sys/sem.h>

#include <cerrno>

namespace assay::os {
namespace {

class Semop final : public Work {
 public:
  static Made<Semop> make(const Setting& setting) {
    const auto id = make_semaphores(setting.disk_folder, 2);
    const int code = id ? 0 : id.error().errno_value;
    if (code == ENOSYS || code == ENOSPC) return host_lacks(id.error().what);
    if (!id) return id.error();
    return std::make_unique<Semop>(setting.disk_folder, *id);
  }
  Semop(std::string folder, int id) : folder_(std::move(folder)), id_(id) {}
  ~Semop() override { remove_semaphores(folder_, id_); }

  Status run(Calls calls) override {
    sembuf up{.sem_num = 0, .sem_op = 1, .sem_flg = 0};
    sembuf down{.sem_num = 0, .sem_op = -1, .sem_flg = 0};
    for (Calls i = 0; i < calls; ++i) {
      if (semop(id_, &up, 1) != 0 || semop(id_, &down, 1) != 0) return failed("semop");
    }
    return {};
  }

 private:
  const std::string folder_;
  const int id_;
};

}  // namespace

Case semop_case() {
  return {.name = "semop", .summary = "two semop(): up and down", .stage = each<Semop>};
}

}  // namespace assay::os
