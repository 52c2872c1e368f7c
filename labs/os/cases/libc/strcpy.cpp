// strcpy of a string of -s bytes.
#include <assay/os/support/two_texts.hpp>

#include <cstring>

namespace assay::os {
namespace {

struct Strcpy {
  char* operator()(char* one, const char* other) const { return std::strcpy(one, other); }
};

}  // namespace

Case strcpy_case() {
  return {.name = "strcpy",
          .summary = "strcpy()",
          .options = two_texts_options(),
          .stage = each<TwoTexts<Strcpy>>};
}

}  // namespace assay::os
