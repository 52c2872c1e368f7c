// assay-os-launch: measures one launch of one case. assay-os starts it, passes a plan in a memory
// file, and reads the results from the same file.
//
// It is a program of its own, so that each launch has a new address layout, and so that nothing but
// the case runs in it: no counting malloc, no reports, no JSON until all is measured.
#include <assay/os/harness/plan_text.hpp>
#include <assay/system/text_file.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

namespace {

bool replace_all(int descriptor, const std::string& text) {
  if (ftruncate(descriptor, 0) != 0) return false;
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t length = pwrite(descriptor, text.data() + written, text.size() - written,
                                  static_cast<off_t>(written));
    if (length <= 0) return false;
    written += static_cast<std::size_t>(length);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::fputs("assay-os-launch is started by assay-os, not by hand\n", stderr);
    return 2;
  }
  const int descriptor = static_cast<int>(std::strtol(argv[1], nullptr, 10));
  const auto owned = assay::os::plan_from(assay::read_all(descriptor));
  if (!owned) {
    std::fprintf(stderr, "%s\n", owned.error().line().c_str());
    return 2;
  }
  assay::os::LaunchPlan plan = owned->plan;
  plan.what = &owned->what;
  const auto launched = assay::os::launch(plan);
  return replace_all(descriptor, assay::os::text_of(launched)) ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "assay-os-launch: %s\n", error.what());
  return 1;
}
