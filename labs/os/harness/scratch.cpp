#include <assay/os/harness/scratch.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <utility>

namespace assay::os {
namespace {

namespace fs = std::filesystem;

constexpr const char* prefix = "assay-os-";
constexpr const char* other_place = "choose another place with --dir";
constexpr const char* list_of_folders = "folders";
constexpr const char* semaphore_prefix = "semaphores-";
constexpr std::size_t data_bytes = std::size_t{10} << 20U;

Error file_error(const std::string& what, const fs::path& where) {
  return {what + ": " + std::strerror(errno), where.string(), other_place, errno};
}

// The lock of a folder; no descriptor when a living run holds it.
FileDescriptor try_lock(const fs::path& folder) {
  FileDescriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened || flock(opened.number(), LOCK_EX | LOCK_NB) != 0) return {};
  return opened;
}

bool is_ours(const fs::path& folder) {
  return folder.filename().string().starts_with(prefix);
}

void remove_semaphores_of(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(semaphore_prefix)) continue;
    const auto key =
        static_cast<key_t>(std::strtol(name.c_str() + std::strlen(semaphore_prefix), nullptr, 10));
    const int id = semget(key, 0, 0);
    if (id >= 0) semctl(id, 0, IPC_RMID);
  }
}

void remove_folder(const fs::path& folder) {
  std::error_code ignored;
  std::ifstream list(folder / list_of_folders);
  for (std::string line; std::getline(list, line);) {
    if (!is_ours(line)) continue;
    remove_semaphores_of(line);
    fs::remove_all(line, ignored);
  }
  remove_semaphores_of(folder);
  fs::remove_all(folder, ignored);
}

// Removes the folders and semaphores of runs that were killed.
void clean(const fs::path& base) {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(base, ignored)) {
    if (is_ours(entry.path()) && entry.is_directory(ignored)) found.push_back(entry.path());
  }
  for (const fs::path& folder : found) {
    if (const FileDescriptor lock = try_lock(folder)) remove_folder(folder);
  }
}

bool writable(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder, ignored) && access(folder.c_str(), W_OK | X_OK) == 0;
}

fs::path first_writable(std::initializer_list<const char*> candidates) {
  for (const char* candidate : candidates) {
    if (candidate != nullptr && writable(candidate)) return candidate;
  }
  return "/tmp";
}

fs::path memory_base() {
  return first_writable({"/dev/shm", "/tmp"});
}
fs::path disk_base() {
  return first_writable({getenv("TMPDIR"), "/var/tmp", "/tmp"});
}

Result<std::string> data_file(const fs::path& path, std::size_t bytes) {
  std::error_code ignored;
  if (fs::exists(path, ignored)) return path.string();
  std::ofstream file(path, std::ios::binary);
  const std::string zeros(std::size_t{1} << 20U, '\0');
  for (std::size_t written = 0; file && written < bytes; written += zeros.size()) {
    file.write(zeros.data(), static_cast<std::streamsize>(zeros.size()));
  }
  file.close();
  if (!file) return file_error("cannot write it", path);
  return path.string();
}

Result<std::string> deep_folder(const fs::path& base) {
  fs::path path = base;
  for (const char level : std::string("0123456789")) path /= std::string(1, level);
  std::error_code code;
  fs::create_directories(path, code);
  if (code) return Error{"cannot make it: " + code.message(), path.string()};
  return path.string();
}

}  // namespace

Result<Scratch> Scratch::make(const std::string& dir) {
  const fs::path home = memory_base();
  const fs::path disk = dir.empty() ? disk_base() : fs::absolute(dir);
  for (const fs::path& base : {home, disk}) clean(base);
  if (!writable(disk))
    return Error{"no folder one can write to", disk.string(), "mkdir -p it first"};
  Scratch scratch;
  auto at_home = make_locked_folder(home, prefix, other_place);
  if (!at_home) return at_home.error();
  scratch.home_ = std::move(at_home).value();
  auto on_disk = make_locked_folder(disk, prefix, other_place);
  if (!on_disk) return on_disk.error();
  scratch.disk_ = std::move(on_disk).value();
  std::ofstream(scratch.home_.path / list_of_folders) << scratch.disk_.path.string() << "\n";
  scratch.memory_ = (dir.empty() ? scratch.home_.path : scratch.disk_.path) / "tmp";
  std::error_code code;
  fs::create_directory(scratch.memory_, code);
  if (code) return Error{"cannot make it: " + code.message(), scratch.memory_.string()};
  return scratch;
}

Scratch::~Scratch() {
  if (!home_.path.empty()) remove_folder(home_.path);
  if (!disk_.path.empty()) remove_folder(disk_.path);
}

Result<std::string> Scratch::resolve(const std::string& token) const {
  const std::size_t dot = token.find('.');
  const std::string where = token.substr(0, dot);
  const std::string what = dot == std::string::npos ? "data" : token.substr(dot + 1);
  if (where == "@tmp" || where == "@disk") {
    const fs::path base = where == "@tmp" ? memory_ : disk_.path;
    if (what == "data") return data_file(base / what, data_bytes);
    if (what == "empty") return data_file(base / what, 0);
    if (what == "dir1" || what == "dir2") return deep_folder(base / what);
  }
  return Error{"no such file of the run's own", token,
               "there are @tmp, @disk, and .empty, .dir1 and .dir2 of both"};
}

// ---- semaphores ---------------------------------------------------------------------------

namespace {

fs::path note_of(const std::string& folder, key_t key) {
  return fs::path(folder) / (semaphore_prefix + std::to_string(key));
}

}  // namespace

Result<int> make_semaphores(const std::string& folder, int count) {
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    const auto key = static_cast<key_t>(random() >> 1U);
    if (key == IPC_PRIVATE || semget(key, 0, 0) >= 0) continue;  // the key is in use
    std::ofstream(note_of(folder, key)) << count << "\n";
    const int id = semget(key, count, IPC_CREAT | IPC_EXCL | 0600);
    if (id >= 0) return id;
    const int code = errno;
    std::error_code ignored;
    fs::remove(note_of(folder, key), ignored);
    if (code != EEXIST) return Error{std::string("semget: ") + std::strerror(code), "", "", code};
  }
  return Error{"semget: no key is free"};
}

void remove_semaphores(const std::string& folder, int id) {
  semid_ds facts{};
  union {
    int value;
    semid_ds* facts;
  } argument{.value = 0};
  argument.facts = &facts;
  const bool known = semctl(id, 0, IPC_STAT, argument) == 0;
  semctl(id, 0, IPC_RMID);
  std::error_code ignored;
  if (known) fs::remove(note_of(folder, facts.sem_perm.__key), ignored);
}

}  // namespace assay::os
