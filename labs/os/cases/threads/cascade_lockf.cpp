// A cascade (lock_cascade.hpp) over files, locked with lockf().
#include <assay/os/support/lock_cascade.hpp>
#include <assay/os/support/waiting_lock.hpp>

#include <unistd.h>

namespace assay::os {
namespace {

class LockfLocks {
 public:
  explicit LockfLocks(const CascadeFiles& files) : files_(files) {}
  [[nodiscard]] bool block(int index) const {
    return retry_on_deadlock([&] { return lockf(files_.of(index), F_LOCK, 0) == 0; });
  }
  [[nodiscard]] bool unblock(int index) const { return lockf(files_.of(index), F_ULOCK, 0) == 0; }

 private:
  const CascadeFiles& files_;
};

}  // namespace

Case cascade_lockf_case() {
  return {.name = "cascade_lockf",
          .summary = "workers hand round files locked with lockf()",
          .options = {cascade_folder},
          .stage = each<FileCascade<LockfLocks>>};
}

}  // namespace assay::os
