// Purpose: the options that create_tree is given, in memory that tells whether it reads beyond
// their end.
//
//   const auto page = OptionsPage::make();
//   tree.reset(create_tree((*page)->put(options)));
//   const std::string warning = (*page)->warning();  // empty: nothing was read beyond
//
// A fork of PiBench has more options, and a plug-in built for it reads them after ours. So the
// options end where a page of memory ends, and the next page is one the kernel makes, of zeros,
// when it is first read. The kernel can be asked whether it has made it: by this process, or by
// the one that made the page and then forked.
//
// Thread safety: belongs to one thread. Cost: two pages. They stay until the process ends: the
// options of PiBench live as long, and plug-ins keep references to them.
#pragma once

#include <assay/base/result.hpp>
#include <assay/index/tree_api.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace assay::index {

class OptionsPage {
 public:
  static Result<std::shared_ptr<OptionsPage>> make();

  const tree_options_t& put(const tree_options_t& options);

  /// A warning that create_tree read beyond the options; empty if it did not, or if the kernel does
  /// not tell.
  [[nodiscard]] std::string warning() const;

 private:
  OptionsPage(char* beyond, std::size_t bytes);

  [[nodiscard]] bool is_resident() const;

  char* beyond_;       // start of the next page, where the options end
  std::size_t bytes_;  // size of a page
  // An untouched page is reported as absent, so that warning() can work.
  bool tells_;
};

}  // namespace assay::index
