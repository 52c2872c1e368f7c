#include <assay/system/text_file.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <system_error>

namespace assay {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const fs::path& file, int code) {
  return Error{std::string("cannot be written: ") + std::strerror(code), file, "", code};
}

bool is_special(const fs::path& file) {
  std::error_code failed;
  return fs::exists(file, failed) && !fs::is_regular_file(file, failed);
}

/// The name to write under at first; with the process id, so that two processes that write the same
/// file do not mix.
fs::path temporary_path(const fs::path& file) {
  return file.string() + ".unfinished-" + std::to_string(getpid());
}

}  // namespace

std::optional<std::string> first_line(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  line.erase(line.find_last_not_of(" \t\r\n") + 1);
  if (line.empty()) return std::nullopt;
  return line;
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 65536> piece{};
  while (true) {
    const auto at = static_cast<off_t>(text.size());
    const ssize_t length = pread(descriptor, piece.data(), piece.size(), at);
    if (length <= 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(length));
  }
}

Status write_file(const fs::path& file, const std::string& text) {
  const fs::path written = is_special(file) ? file : temporary_path(file);
  std::ofstream stream(written, std::ios::binary);
  stream << text;
  stream.close();
  std::error_code failed;
  if (!stream) {
    Error error = cannot_write(file, errno);
    if (written != file) fs::remove(written, failed);
    return error;
  }
  if (written != file) fs::rename(written, file, failed);
  if (!failed) return {};
  Error error = cannot_write(file, failed.value());
  fs::remove(written, failed);
  return error;
}

Status try_file(const fs::path& file) {
  if (file.filename().empty()) return Error{"is no name of a file", file};
  if (is_special(file)) return {};
  if (!std::ofstream(temporary_path(file))) return cannot_write(file, errno);
  std::error_code ignored;
  fs::remove(temporary_path(file), ignored);
  return {};
}

Status print(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0) return {};
  return cannot_write("standard output", errno);
}

}  // namespace assay
