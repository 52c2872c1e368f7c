// Purpose: reads small files (the first line, or all of an open one), and writes files so that they
// are whole or absent.
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

/// The first line, without blanks at its end; nothing where it is empty or cannot be read.
std::optional<std::string> first_line(const std::filesystem::path& file);

/// The whole of an open file, from its beginning, whatever the descriptor's offset.
std::string read_all(int descriptor);

/// Writes under another name, then renames: whoever reads it finds all or nothing of it. A device
/// or a pipe is written to directly, because renaming onto it would replace it.
Status write_file(const std::filesystem::path& file, const std::string& text);

/// Whether write_file() may write there, so that a wrong path is reported before anything is
/// measured.
Status try_file(const std::filesystem::path& file);

/// Writes to standard output and flushes it.
Status print(const std::string& text);

}  // namespace assay
