// Locking and unlocking one byte of a file with fcntl, nobody else wanting it.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/descriptors.hpp>

#include <fcntl.h>

namespace assay::os {
namespace {

// Opened before the workers start, so that they share the file and its lock.
class LockedFile {
 public:
  static Made<LockedFile> make(const Setting& setting) {
    return made_of<LockedFile>(open_file(setting.disk_folder + "/lock", O_CREAT | O_RDWR));
  }
  explicit LockedFile(FileDescriptor file) : file_(std::move(file)) {}

  [[nodiscard]] bool set(short kind, int command) const {
    struct flock lock {};
    lock.l_type = kind;
    lock.l_whence = SEEK_SET;
    lock.l_len = 1;
    return fcntl(file_.number(), command, &lock) == 0;
  }

 private:
  FileDescriptor file_;
};

class FileLock final : public Work {
 public:
  explicit FileLock(const LockedFile& file) : file_(file) {}

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (!file_.set(F_WRLCK, F_SETLKW)) return failed("fcntl F_SETLKW");
      if (!file_.set(F_UNLCK, F_SETLK)) return failed("fcntl F_SETLK");
    }
    return {};
  }

 private:
  const LockedFile& file_;
};

}  // namespace

Case file_lock_case() {
  return {.name = "file_lock",
          .summary = "lock and unlock a byte of a file with fcntl",
          .stage = sharing<LockedFile, FileLock>};
}

}  // namespace assay::os
