#include <assay/index/options_page.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <new>

// LeakSanitizer's, where there is one: it looks for pointers in shared pages only when told to.
// NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
extern "C" __attribute__((weak)) void __lsan_register_root_region(const void*, std::size_t);

namespace assay::index {

Result<std::shared_ptr<OptionsPage>> OptionsPage::make() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const pages =
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return Error{"no memory for the plug-in's options", "", "", errno};
  if (__lsan_register_root_region != nullptr) __lsan_register_root_region(pages, page);
  return std::shared_ptr<OptionsPage>(new OptionsPage(static_cast<char*>(pages) + page, page));
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
