// strcasecmp of two equal strings of -s bytes.
#include <assay/os/support/two_texts.hpp>

#include <strings.h>

namespace assay::os {
namespace {

struct Strcasecmp {
  int operator()(char* one, const char* other) const { return strcasecmp(one, other); }
};

}  // namespace

Case strcasecmp_case() {
  return {.name = "strcasecmp",
          .summary = "strcasecmp() of equal strings",
          .options = two_texts_options(),
          .stage = each<TwoTexts<Strcasecmp>>};
}

}  // namespace assay::os
