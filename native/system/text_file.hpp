// Purpose: small files: their first line, or all of a descriptor; written whole or not at all.
//
//   const assay::Status written = assay::write_file(file, text);
//   const std::optional<std::string> cpus = assay::first_line("/sys/devices/system/cpu/online");
//
// Thread safety: any thread. Cost: opens and reads the file; never inside a timed loop.
#pragma once

#include <assay/base/result.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace assay {

/// Without blanks at its end; nothing where it is empty, or there is no such file.
std::optional<std::string> first_line(const std::filesystem::path& file);

/// What a descriptor of a file holds, from its beginning, wherever it stands.
std::string read_all(int descriptor);

/// Under another name first, then renamed: whoever reads it finds all or nothing of it. A device
/// or a pipe is written to as it is, because renaming onto it would replace it.
Status write_file(const std::filesystem::path& file, const std::string& text);

/// Whether write_file() may write there: found out before anything is measured.
Status try_file(const std::filesystem::path& file);

/// To standard output, at once.
Status print(const std::string& text);

}  // namespace assay
