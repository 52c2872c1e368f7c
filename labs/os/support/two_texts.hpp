// Purpose: the work of the cases that call a string function on two equal strings.
//
//   struct Strcmp { int operator()(char* one, const char* other) const; };
//   .options = two_texts_options(), .stage = each<TwoTexts<Strcmp>>
//
// Options: -s the bytes, -n one of them begins one byte off. Thread safety: one owner.
#pragma once

#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>
#include <assay/os/support/sample_text.hpp>

#include <vector>

namespace assay::os {

template <class Function>
class TwoTexts final : public Work {
 public:
  explicit TwoTexts(const Setting& setting)
      : one_(setting.number('s'), 0), other_(setting.number('s'), setting.flag('n') ? 1 : 0) {}

  Status run(Calls calls) override {
    char* const one = one_.begin();
    const char* const other = other_.begin();
    for (Calls i = 0; i < calls; ++i)
      do_not_optimize(Function{}(opaque_value(one), opaque_value(other)));
    return {};
  }

 private:
  SampleText one_;
  SampleText other_;
};

inline std::vector<Option> two_texts_options() {
  return {number('s', "size", "100", "bytes in the string"),
          flag('n', "unaligned", "one string begins one byte off")};
}

}  // namespace assay::os
