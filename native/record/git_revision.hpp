// Purpose: the git revision checked out in a folder, without running git.
//
//   std::optional<std::string> revision = assay::git_revision(std::filesystem::current_path());
//
// Thread safety: any thread. Cost: a few small reads, before the first benchmark. It does not tell
// whether the work tree has uncommitted changes: that takes git itself, a process in the middle of
// a measurement, and `assay`, which starts the benchmark, finds it out.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace assay {

std::optional<std::string> git_revision(const std::filesystem::path& folder);

}  // namespace assay
