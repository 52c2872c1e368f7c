#include <assay/restore/tree/glob.hpp>

#include <assay/base/random.hpp>

#include <fnmatch.h>
#include <gtest/gtest.h>

namespace assay::restore {
namespace {

/// ASCII only, because fnmatch depends on the locale for other characters. Left out are what POSIX
/// leaves undefined, and collating symbols ("[."), which Bareos's fnmatch does not have either.
TEST(Glob, AgreesWithFnmatch) {
  Random random(1729);
  const std::string of_patterns = "aab*?[]!-^cb\\.";
  const std::string of_names = "aabbc.-]!^[";
  int matched = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string pattern;
    std::string name;
    for (auto n = random.below(7); n > 0; --n)
      pattern += of_patterns[random.below(of_patterns.size())];
    for (auto n = random.below(6); n > 0; --n) name += of_names[random.below(of_names.size())];
    if (pattern.ends_with('\\') || pattern.find("[.") != pattern.npos) continue;
    if (pattern.find('[') != pattern.npos && pattern.find('\\') != pattern.npos) continue;
    const bool expected = fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    ASSERT_EQ(Glob(pattern).matches(name), expected) << pattern << " on " << name;
    matched += expected ? 1 : 0;
  }
  EXPECT_GT(matched, 5'000);
}

TEST(Glob, ACharacterMayHaveManyBytes) {
  EXPECT_TRUE(Glob("gr??e").matches("größe"));
  EXPECT_TRUE(Glob("?").matches("日"));
  EXPECT_TRUE(Glob("[ä-ü]").matches("ö"));
  EXPECT_FALSE(Glob("[!ä-ü]").matches("ö"));
  EXPECT_TRUE(Glob("??").matches("\xff\xfe")) << "bytes that are no UTF-8 are one each";
  EXPECT_FALSE(Glob("\xff*").matches("\xfe"));
  EXPECT_TRUE(Glob("*\n*").matches("line\nbreak"));
}

TEST(Glob, ManyStarsAreNotSlow) {
  const std::string name(255, 'a');
  EXPECT_FALSE(Glob("*a*a*a*a*a*a*a*a*a*a*a*a*a*b").matches(name));
}

TEST(PathPattern, Parts) {
  const PathPattern pattern("/home/**/**/*.txt/");
  EXPECT_TRUE(pattern.is_absolute());
  ASSERT_EQ(pattern.size(), 3U) << "two ** are one";
  EXPECT_TRUE(pattern.is_any_depth(1));
  EXPECT_FALSE(pattern.is_any_depth(2));
  EXPECT_TRUE(PathPattern("/").part(0).matches_all());
  EXPECT_TRUE(PathPattern("a/**").part(1).matches_all());
  EXPECT_FALSE(PathPattern("a/**").is_any_depth(1));
}

}  // namespace
}  // namespace assay::restore
