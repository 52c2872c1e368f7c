#include <assay/record/git_revision.hpp>

#include <assay/system/text_file.hpp>

#include <fstream>

namespace assay {
namespace {

using std::filesystem::path;

std::optional<std::string> after(const std::string& line, const std::string& prefix) {
  if (line.rfind(prefix, 0) != 0) return std::nullopt;
  return line.substr(prefix.size());
}

/// .git is a folder, or in a linked work tree a file that names one.
std::optional<path> git_folder(const path& work_tree) {
  std::error_code ignored;
  path dot_git = work_tree / ".git";
  if (std::filesystem::is_directory(dot_git, ignored)) return dot_git;
  const auto line = first_line(dot_git);
  const auto target = line ? after(*line, "gitdir: ") : std::nullopt;
  if (!target) return std::nullopt;
  return work_tree / *target;
}

std::optional<path> search_upwards(path folder) {
  for (;; folder = folder.parent_path()) {
    if (auto found = git_folder(folder)) return found;
    if (folder == folder.parent_path()) return std::nullopt;
  }
}

/// Branches live in the common folder, which linked work trees share.
path common_folder(const path& git) {
  const auto common = first_line(git / "commondir");
  return common ? git / *common : git;
}

std::optional<std::string> packed(const path& common, const std::string& ref) {
  std::ifstream stream(common / "packed-refs");
  for (std::string line; std::getline(stream, line);) {
    const auto space = line.find(' ');
    if (space != std::string::npos && line.substr(space + 1) == ref) return line.substr(0, space);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> git_revision(const path& folder) {
  const auto git = search_upwards(folder);
  auto head = git ? first_line(*git / "HEAD") : std::nullopt;
  if (!head) return std::nullopt;
  const auto ref = after(*head, "ref: ");
  if (!ref) return head;
  const path common = common_folder(*git);
  const auto loose = first_line(common / *ref);
  return loose ? loose : packed(common, *ref);
}

}  // namespace assay
