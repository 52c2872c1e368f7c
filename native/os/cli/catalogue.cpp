#include <assay/os/cli/catalogue.hpp>

#include <sstream>

namespace assay::os {

std::vector<std::string> CatalogueRun::words() const {
  std::vector<std::string> all{std::string(what), "-N", std::string(name)};
  std::istringstream words{std::string(options)};
  for (std::string word; words >> word;) all.push_back(word);
  return all;
}

std::vector<CatalogueRun> catalogue() {
  std::vector<CatalogueRun> all = libmicro_runs();
  for (const CatalogueRun& run : linux_runs()) all.push_back(run);
  return all;
}

}  // namespace assay::os
