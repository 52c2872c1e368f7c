#include <assay/measure/loop/program_symbol.hpp>

#include <gtest/gtest.h>

extern "C" {
// Not exported: dlsym would not find it.
[[gnu::visibility("hidden"), gnu::noinline, gnu::used]] int assay_symbol_to_find(int value) {
  return value + 1;
}
}

namespace assay {
namespace {

TEST(ProgramSymbol, FindsAFunctionThatIsNotExported) {
  EXPECT_EQ(program_symbol("assay_symbol_to_find"), reinterpret_cast<void*>(assay_symbol_to_find));
}

TEST(ProgramSymbol, OfAnotherNameThereIsNone) {
  EXPECT_EQ(program_symbol("assay_symbol_to_fin"), nullptr);
  EXPECT_EQ(program_symbol("assay_symbol_to_find_"), nullptr);
  EXPECT_EQ(program_symbol(""), nullptr);
}

}  // namespace
}  // namespace assay
