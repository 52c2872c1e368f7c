#include <assay/system/locked_folder.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace assay {

Result<LockedFolder> make_locked_folder(const std::filesystem::path& base,
                                        const std::string& prefix, const std::string& hint) {
  const auto failure = [&](int code) {
    return Error{std::string("cannot make a folder in it: ") + std::strerror(code), base.string(),
                 hint, code};
  };
  // Another run may remove the folder between mkdtemp and flock; then another is made.
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string name = (base / (prefix + "XXXXXX")).string();
    if (mkdtemp(name.data()) == nullptr) return failure(errno);
    FileDescriptor lock(open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const bool is_locked = lock && flock(lock.number(), LOCK_EX) == 0;
    const int code = errno;
    if (is_locked && access(name.c_str(), F_OK) == 0) return LockedFolder{name, std::move(lock)};
    rmdir(name.c_str());  // where it is still there, it would stay until a later run cleans up
    if (!is_locked && code != ENOENT && code != EINTR) return failure(code);
  }
  return Error{"cannot keep a folder in it", base.string(), "does something remove them?"};
}

}  // namespace assay
