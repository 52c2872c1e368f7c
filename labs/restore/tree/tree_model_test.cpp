// CompactTree and MapTree are given the same random rows and commands, and must give the same
// answers. restore_tree_test tests by examples that these are right.
#include <assay/base/random.hpp>
#include <assay/restore/compact/compact_tree.hpp>
#include <assay/restore/rows/lstat.hpp>
#include <assay/restore/rows/row_chunk.hpp>
#include <assay/restore/tree/intake.hpp>
#include <assay/restore/tree/map_tree.hpp>

#include <gtest/gtest.h>

namespace assay::restore {
namespace {

const std::vector<std::string> some_names{"a",       "b",   "c d", "new\nline", "größe", "日本",
                                          ".hidden", "[x]", "a*b", "\xff\xfe",  "é",     "file10"};
const std::vector<std::string> some_patterns{
    "*",    "a",     "?",     "??",         "[a-c]*", "[!a]*", "*e*",  "/**/a",   "**/b",
    "/a/*", "/a/**", "b/**",  "**/a/**",    "é",      "?röße", "日?",  "\\[x\\]", "*\n*",
    "/",    "a/",    "/**/?", "a*b",        "C:/a",   "C:",    "C:/*", "..",      "",
    "/*/*", "*/",    "[",     "/**/*/**/b", "file*",  "**"};

class RandomCatalogue {
 public:
  explicit RandomCatalogue(std::uint64_t seed) : random_(seed) {}

  std::string name() { return some_names[random_.below(some_names.size())]; }
  std::string pattern() { return some_patterns[random_.below(some_patterns.size())]; }

  std::string path() {
    std::string path = random_.below(12) == 0 ? "C:/" : "/";
    for (std::uint64_t depth = random_.below(4); depth > 0; --depth) path += name() + "/";
    return path;
  }

  /// Adds a random row. Names, FileIndexes and jobs are few, so that there are duplicates, links
  /// and deltas.
  void add_row(RowChunk& chunk) {
    FileStat stat{mode_regular | 0644U, 1, 7, 8, 0, 1'600'000'000, 0};
    stat.size_bytes = static_cast<std::int64_t>(random_.below(1000));
    if (random_.below(10) == 0) stat.size_bytes <<= 30;
    if (random_.below(20) == 0) stat.mtime_s = -5;
    if (random_.below(8) == 0) stat.mode = mode_symlink | 0777U;
    if (random_.below(3) == 0) stat.link_count = 2;
    if (random_.below(4) == 0) {
      stat.link_file_index = static_cast<std::uint32_t>(1 + random_.below(30));
    }
    const std::uint64_t delta = random_.below(6) == 0 ? 1 + random_.below(3) : 0;
    const bool is_directory = random_.below(5) == 0;
    std::string lstat;
    append_lstat(lstat, stat, random_.below(1'000'000));
    if (random_.below(40) == 0) lstat += random_.below(2) == 0 ? "!" : "  A";
    if (random_.below(60) == 0) ++job_;
    std::string where = path();
    if (random_.below(50) == 0) where += "/";
    chunk.add(where).add(is_directory ? "" : name());
    chunk.add(random_.below(40)).add(std::to_string(job_)).add(lstat).add(delta);
    chunk.add(random_.below(9) == 0 ? "12" : "0").add("0");
  }

  Random& random() { return random_; }

 private:
  Random random_;
  std::uint64_t job_{1};
};

template <class List>
std::vector<std::string> listing(List list) {
  std::vector<std::string> lines;
  list([&](const ListedEntry& entry) {
    std::string line(entry.depth, '>');
    line += static_cast<char>(entry.mark);
    line.append(entry.name) += entry.has_children ? "/" : "";
    line += " " + std::to_string(entry.stat.mode) + " " + std::to_string(entry.stat.size_bytes) +
            " " + std::to_string(entry.stat.mtime_s) + " " + std::to_string(entry.stat.uid);
    lines.push_back(line);
  });
  return lines;
}

template <class Tree>
std::vector<std::vector<std::string>> all_listings(const Tree& tree, const std::string& pattern) {
  return {listing([&](const ListingSink& sink) { tree.ls(pattern, sink); }),
          listing([&](const ListingSink& sink) { tree.dir(pattern, sink); }),
          listing([&](const ListingSink& sink) { tree.lsmark(pattern, sink); }),
          listing([&](const ListingSink& sink) { tree.find(pattern, sink); })};
}

template <class Tree>
std::uint64_t command(Tree& tree, std::uint64_t which, const std::string& pattern) {
  switch (which) {
    case 0:
      return tree.mark(pattern);
    case 1:
      return tree.unmark(pattern);
    case 2:
      return tree.mark_directory(pattern);
    case 3:
      return tree.unmark_directory(pattern);
    case 4:
      return tree.cd(pattern) ? 1 : 0;
    default:
      return tree.cd("/") ? 1 : 0;
  }
}

void expect_alike(const CompactTree& compact, const MapTree& plain) {
  ASSERT_EQ(compact.pwd(), plain.pwd());
  ASSERT_EQ(compact.count(), plain.count());
  ASSERT_EQ(compact.estimate(), plain.estimate());
  ASSERT_EQ(compact.bootstrap(), plain.bootstrap());
}

class TreeModel : public testing::TestWithParam<std::uint64_t> {};

TEST_P(TreeModel, AnswersAlike) {
  RandomCatalogue catalogue(GetParam());
  CompactTree compact;
  MapTree plain;
  Intake<CompactTree> into_compact(compact);
  Intake<MapTree> into_plain(plain);
  RowChunk chunk;
  for (int turn = 0; turn < 40; ++turn) {
    chunk.clear();
    for (std::uint64_t i = catalogue.random().below(40); i > 0; --i) catalogue.add_row(chunk);
    chunk.seal();
    for (const RowText& row : chunk.rows()) {
      ASSERT_EQ(into_compact.take(row), into_plain.take(row));
    }
    for (int i = 0; i < 6; ++i) {
      const std::uint64_t which = catalogue.random().below(6);
      const std::string pattern = catalogue.pattern();
      SCOPED_TRACE("turn " + std::to_string(turn) + " command " + std::to_string(which) + " " +
                   pattern);
      ASSERT_EQ(command(compact, which, pattern), command(plain, which, pattern));
      expect_alike(compact, plain);
      if (HasFatalFailure()) return;
    }
    const std::string pattern = turn % 2 == 0 ? "*" : catalogue.pattern();
    ASSERT_EQ(all_listings(compact, pattern), all_listings(plain, pattern)) << pattern;
  }
  ASSERT_EQ(into_compact.rejections().first(), into_plain.rejections().first());
  EXPECT_GT(into_compact.rejections().count(), 0U);
  EXPECT_GT(compact.count().entries, 100U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, TreeModel, testing::Range<std::uint64_t>(1, 61));

}  // namespace
}  // namespace assay::restore
