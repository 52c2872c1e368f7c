// strcmp of two equal strings of -s bytes.
#include <assay/os/support/two_texts.hpp>

#include <cstring>

namespace assay::os {
namespace {

struct Strcmp {
  int operator()(char* one, const char* other) const { return std::strcmp(one, other); }
};

}  // namespace

Case strcmp_case() {
  return {.name = "strcmp",
          .summary = "strcmp() of equal strings",
          .options = two_texts_options(),
          .stage = each<TwoTexts<Strcmp>>};
}

}  // namespace assay::os
