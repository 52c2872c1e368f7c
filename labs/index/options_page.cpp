#include <assay/index/options_page.hpp>

#include <assay/system/shared_pages.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <new>
#include <utility>

// A function of LeakSanitizer, null in other builds: LeakSanitizer looks for pointers in shared
// pages only when told to.
// NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
extern "C" __attribute__((weak)) void __lsan_register_root_region(const void*, std::size_t);

namespace assay::index {

Result<std::shared_ptr<OptionsPage>> OptionsPage::make() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto pages = SharedPages::make(2 * page);
  if (!pages) {
    return Error{"no memory for the plug-in's options", "", "", pages.error().errno_value};
  }
  // Never unmapped, because plug-ins keep references to their options until the process ends.
  char* const first = static_cast<char*>(std::move(pages).value().release());
  if (__lsan_register_root_region != nullptr) __lsan_register_root_region(first, page);
  return std::shared_ptr<OptionsPage>(new OptionsPage(first + page, page));
}

OptionsPage::OptionsPage(char* beyond, std::size_t bytes)
    : beyond_(beyond), bytes_(bytes), tells_(!is_resident()) {}

const tree_options_t& OptionsPage::put(const tree_options_t& options) {
  return *new (beyond_ - sizeof options) tree_options_t(options);
}

std::string OptionsPage::warning() const {
  if (!tells_ || !is_resident()) return "";
  return "create_tree read beyond the " + std::to_string(sizeof(tree_options_t)) +
         " bytes of PiBench's tree_options_t: it was built with a longer one, and what was added "
         "is zero here";
}

bool OptionsPage::is_resident() const {
  unsigned char is_there = 0;
  return mincore(beyond_, bytes_, &is_there) == 0 && (is_there & 1U) != 0;
}

}  // namespace assay::index
