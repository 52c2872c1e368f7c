#include <assay/os/cli/catalogue.hpp>

#include <sstream>

namespace assay::os {
namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> all;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) all.push_back(word);
  return all;
}

std::string replaced(std::string_view text, char mark, const std::string& by) {
  std::string all;
  for (const char each : text) all += each == mark ? by : std::string(1, each);
  return all;
}

/// Replaces each run by one run for each of `words`, in which that word stands for `mark` in the
/// name and in the options. Without words the runs stay as they are.
std::vector<CatalogueRun> with_each_word(std::vector<CatalogueRun> runs, char mark,
                                         std::string_view words) {
  if (words.empty()) return runs;
  std::vector<CatalogueRun> all;
  for (const CatalogueRun& run : runs) {
    for (const std::string& word : split(words)) {
      const std::size_t equals = word.find('=');
      const std::string option = equals == std::string::npos ? word : word.substr(equals + 1);
      all.push_back({replaced(run.name, mark, word.substr(0, equals)), run.what,
                     replaced(run.options, mark, option)});
    }
  }
  return all;
}

}  // namespace

std::vector<std::string> CatalogueRun::words() const {
  std::vector<std::string> all{std::string(what), "-N", name};
  for (std::string& word : split(options)) all.push_back(std::move(word));
  return all;
}

std::vector<CatalogueRun> expanded_runs(std::span<const CatalogueRuns> families) {
  std::vector<CatalogueRun> all;
  for (const CatalogueRuns& one : families) {
    std::vector<CatalogueRun> runs{{std::string(one.name), one.what, std::string(one.options)}};
    runs = with_each_word(with_each_word(std::move(runs), '*', one.words), '%', one.more);
    all.insert(all.end(), runs.begin(), runs.end());
  }
  return all;
}

std::vector<CatalogueRun> catalogue() {
  std::vector<CatalogueRun> all = libmicro_runs();
  for (const CatalogueRun& run : linux_runs()) all.push_back(run);
  return all;
}

}  // namespace assay::os
