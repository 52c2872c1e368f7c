#include <assay/record/build_facts.hpp>

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(BuildFacts, DescribeThisTranslationUnit) {
  const BuildFacts facts = ASSAY_BUILD_FACTS;
  EXPECT_TRUE(facts.compiler == "gcc" || facts.compiler == "clang") << facts.compiler;
  EXPECT_FALSE(facts.compiler_version.empty());
  EXPECT_GE(facts.cplusplus, 202002L);
  EXPECT_EQ(facts.optimised, ASSAY_BUILD_OPTIMISED);
}

TEST(BuildWarning, IsSilentAboutAGoodBuild) {
  EXPECT_EQ(build_warning({.optimised = true, .assertions = false}), "");
}

TEST(BuildWarning, NamesTheWorstFirst) {
  EXPECT_NE(build_warning({.optimised = false, .assertions = true}).find("optimisation"),
            std::string::npos);
  EXPECT_NE(build_warning({.optimised = true, .assertions = true, .sanitizer = "thread"})
                .find("thread sanitizer"),
            std::string::npos);
  EXPECT_NE(build_warning({.optimised = true, .assertions = true}).find("-DNDEBUG"),
            std::string::npos);
}

}  // namespace
}  // namespace assay
