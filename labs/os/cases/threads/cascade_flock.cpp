// A cascade (lock_cascade.hpp) over files, locked with flock().
#include <assay/os/support/lock_cascade.hpp>

#include <sys/file.h>

namespace assay::os {
namespace {

class FlockLocks {
 public:
  explicit FlockLocks(const CascadeFiles& files) : files_(files) {}
  [[nodiscard]] bool block(int index) const { return flock(files_.of(index), LOCK_EX) == 0; }
  [[nodiscard]] bool unblock(int index) const { return flock(files_.of(index), LOCK_UN) == 0; }

 private:
  const CascadeFiles& files_;
};

}  // namespace

Case cascade_flock_case() {
  return {.name = "cascade_flock",
          .summary = "workers hand round files locked with flock()",
          .options = {cascade_folder},
          .stage = each<FileCascade<FlockLocks>>};
}

}  // namespace assay::os
