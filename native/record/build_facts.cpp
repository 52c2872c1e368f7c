#include <assay/record/build_facts.hpp>

namespace assay {

std::string build_warning(const BuildFacts& build) {
  if (!build.optimised) return "built without optimisation: timings mean little";
  if (!build.sanitizer.empty()) return "built with the " + build.sanitizer + " sanitizer";
  if (build.assertions) return "built with assertions: compile with -DNDEBUG to measure";
  return "";
}

}  // namespace assay
