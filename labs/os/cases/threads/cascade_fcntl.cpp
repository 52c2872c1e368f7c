// A cascade (lock_cascade.hpp) over the bytes of one file, locked with fcntl.
#include <assay/os/support/descriptors.hpp>
#include <assay/os/support/lock_cascade.hpp>
#include <assay/os/support/waiting_lock.hpp>

#include <fcntl.h>

namespace assay::os {
namespace {

class FcntlLocks {
 public:
  static Made<FcntlLocks> make(const Setting& setting) {
    return made_of<FcntlLocks>(open_file(setting.disk_folder + "/cascade", O_CREAT | O_RDWR));
  }
  explicit FcntlLocks(FileDescriptor file) : file_(std::move(file)) {}

  [[nodiscard]] bool block(int index) const {
    return retry_on_deadlock([&] { return set(index, F_WRLCK, F_SETLKW); });
  }
  [[nodiscard]] bool unblock(int index) const { return set(index, F_UNLCK, F_SETLK); }

 private:
  [[nodiscard]] bool set(int index, short kind, int command) const {
    struct flock lock {};
    lock.l_type = kind;
    lock.l_whence = SEEK_SET;
    lock.l_start = index;
    lock.l_len = 1;
    return fcntl(file_.number(), command, &lock) == 0;
  }

  FileDescriptor file_;
};

}  // namespace

Case cascade_fcntl_case() {
  return {.name = "cascade_fcntl",
          .summary = "workers hand round bytes of a file, locked with fcntl()",
          .options = {cascade_folder},
          .stage = sharing<FcntlLocks, Cascade<FcntlLocks>>};
}

}  // namespace assay::os
