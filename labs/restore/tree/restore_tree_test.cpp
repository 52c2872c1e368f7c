// The rules of restore trees as examples, tested for every implementation.
#include <assay/restore/compact/compact_tree.hpp>
#include <assay/restore/rows/lstat.hpp>
#include <assay/restore/tree/intake.hpp>
#include <assay/restore/tree/map_tree.hpp>

#include <gtest/gtest.h>

namespace assay::restore {
namespace {

static_assert(RestoreTree<CompactTree> && RestoreTree<MapTree>);

struct Facts {
  std::uint32_t file_index{1};
  std::uint32_t job_id{1};
  std::uint32_t link_count{1};
  std::uint32_t link_file_index{0};
  std::uint32_t delta_seq{0};
  std::int64_t size_bytes{10};
  std::uint32_t mode{mode_regular | 0644U};
};

template <class Tree>
class TreeTest : public testing::Test {
 protected:
  RowFault add(const std::string& path, const std::string& name, const Facts& facts = {}) {
    std::string lstat;
    append_lstat(lstat,
                 {facts.mode, facts.link_count, 5, 6, facts.size_bytes, 1'600'000'000,
                  facts.link_file_index},
                 77);
    const std::string file_index = std::to_string(facts.file_index);
    const std::string job_id = std::to_string(facts.job_id);
    const std::string delta = std::to_string(facts.delta_seq);
    const RowText row{path, name, file_index, job_id, lstat, delta, "0", "0"};
    return intake_.take(row);
  }
  std::vector<std::string> names(void (Tree::*list)(std::string_view, const ListingSink&) const,
                                 const std::string& pattern) {
    std::vector<std::string> lines;
    (tree_.*list)(pattern, [&](const ListedEntry& entry) {
      lines.push_back(static_cast<char>(entry.mark) + std::string(entry.name));
    });
    return lines;
  }
  std::vector<BootstrapRange> marked() { return tree_.bootstrap(); }

  Tree tree_{};
  Intake<Tree> intake_{tree_};
};

using Ranges = std::vector<BootstrapRange>;
using Lines = std::vector<std::string>;
using Trees = testing::Types<CompactTree, MapTree>;
TYPED_TEST_SUITE(TreeTest, Trees);

TYPED_TEST(TreeTest, ALaterJobReplacesAnEarlierOne) {
  this->add("/a/", "f", {.file_index = 9, .job_id = 1});
  this->add("/a/", "f", {.file_index = 2, .job_id = 7});
  this->tree_.mark("/a/f");
  EXPECT_EQ(this->marked(), (Ranges{{7, 2, 2}}));
}

TYPED_TEST(TreeTest, WithinAJobTheHigherFileIndexWins) {
  this->add("/a/", "f", {.file_index = 5});
  this->add("/a/", "f", {.file_index = 3, .size_bytes = 999});
  this->tree_.mark("/a/f");
  EXPECT_EQ(this->marked(), (Ranges{{1, 5, 5}}));
  EXPECT_EQ(this->tree_.estimate().bytes, 10U);
}

TYPED_TEST(TreeTest, WithinAJobTheFirstNameOfAHardLinkWins) {
  this->add("/", "first", {.file_index = 1, .link_count = 2});
  this->add("/", "link", {.file_index = 4, .link_count = 2, .link_file_index = 1});
  this->add("/", "link", {.file_index = 6, .link_count = 2, .link_file_index = 1});
  this->tree_.mark("link");
  EXPECT_EQ(this->marked(), (Ranges{{1, 1, 1}, {1, 4, 4}}));
}

TYPED_TEST(TreeTest, MarkingALinkMarksItsFirstNameAndUnmarkingDoesNot) {
  this->add("/x/", "first", {.file_index = 1, .link_count = 2});
  this->add("/y/", "link", {.file_index = 2, .link_count = 2, .link_file_index = 1});
  EXPECT_EQ(this->tree_.mark("/y/link"), 2U);
  EXPECT_EQ(this->tree_.unmark("/y/link"), 1U);
  EXPECT_EQ(this->marked(), (Ranges{{1, 1, 1}}));
  this->tree_.unmark("*");
  EXPECT_EQ(this->tree_.mark("/x/first"), 1U);  // marking the first name does not mark its links
}

TYPED_TEST(TreeTest, HardLinksMayShareTheFileIndex) {
  this->add("/", "a", {.file_index = 3, .link_count = 2});
  this->add("/", "b", {.file_index = 3, .link_count = 2, .link_file_index = 3});
  EXPECT_EQ(this->tree_.mark("b"), 2U);
  EXPECT_EQ(this->marked(), (Ranges{{1, 3, 3}}));
}

TYPED_TEST(TreeTest, CirclesOfHardLinksAreRejected) {
  const auto link = [](std::uint32_t from, std::uint32_t to) {
    return Facts{.file_index = from, .link_count = 2, .link_file_index = to};
  };
  EXPECT_EQ(this->add("/", "self", link(1, 1)), RowFault::hard_link_cycle);
  EXPECT_EQ(this->add("/", "a", link(2, 3)), RowFault::none);
  EXPECT_EQ(this->add("/", "b", link(3, 4)), RowFault::none);
  EXPECT_EQ(this->add("/", "c", link(4, 2)), RowFault::hard_link_cycle);
  EXPECT_EQ(this->tree_.count(), (Counts{2, 0}));
  ASSERT_EQ(this->intake_.rejections().count(), 2U);
  EXPECT_EQ(this->intake_.rejections().first()[1].line(),
            "row 4: a hard link that leads back to itself");
}

TYPED_TEST(TreeTest, ACircleOverTwoJobsIsRejected) {
  this->add("/", "x", {.file_index = 1, .job_id = 1, .link_count = 2});
  this->add("/", "y", {.file_index = 1, .job_id = 2, .link_count = 2});
  const Facts to_y{.file_index = 2, .job_id = 2, .link_count = 2, .link_file_index = 1};
  EXPECT_EQ(this->add("/", "x", to_y), RowFault::none);
  const Facts to_x{.file_index = 2, .job_id = 1, .link_count = 2, .link_file_index = 1};
  EXPECT_EQ(this->add("/", "y", to_x), RowFault::hard_link_cycle);
  EXPECT_EQ(this->tree_.mark("*"), 2U);
}

TYPED_TEST(TreeTest, ADeltaFollowsItsPredecessorByOne) {
  EXPECT_EQ(this->add("/", "f", {.delta_seq = 1}), RowFault::delta_without_predecessor);
  EXPECT_EQ(this->tree_.count(), (Counts{0, 0}));
  this->add("/", "f", {.file_index = 4, .job_id = 1});
  EXPECT_EQ(this->add("/", "f", {.file_index = 5, .job_id = 2, .delta_seq = 1}), RowFault::none);
  EXPECT_EQ(this->add("/", "f", {.file_index = 5, .job_id = 3, .delta_seq = 3}),
            RowFault::delta_out_of_sequence);
  EXPECT_EQ(this->add("/", "f", {.file_index = 6, .job_id = 3, .delta_seq = 2}), RowFault::none);
  this->tree_.mark("f");
  EXPECT_EQ(this->marked(), (Ranges{{1, 4, 4}, {2, 5, 5}, {3, 6, 6}}));
  this->add("/", "f", {.file_index = 7, .job_id = 4});
  EXPECT_EQ(this->marked(), (Ranges{{4, 7, 7}})) << "a full copy ends the chain";
}

TYPED_TEST(TreeTest, ADeltaUnderADirectoryThatIsNotThereLeavesNoTrace) {
  EXPECT_EQ(this->add("/no/", "f", {.delta_seq = 1}), RowFault::delta_without_predecessor);
  EXPECT_EQ(this->names(&TypeParam::find, "*"), Lines{});
}

TYPED_TEST(TreeTest, ImpliedDirectoriesAreListedAndNotCounted) {
  this->add("/a/b/", "f");
  EXPECT_EQ(this->tree_.count(), (Counts{1, 0}));
  EXPECT_EQ(this->tree_.mark("*"), 1U);
  EXPECT_EQ(this->marked(), (Ranges{{1, 1, 1}}));
  this->add("/a/", "", {.file_index = 2, .mode = mode_directory});
  EXPECT_EQ(this->tree_.count(), (Counts{2, 2}));
}

TYPED_TEST(TreeTest, PlusShowsWhatHasSomethingMarkedBelow) {
  this->add("/a/b/", "f");
  this->add("/a/b/", "g");
  this->add("/c/", "h");
  this->tree_.mark("/a/b/f");
  EXPECT_EQ(this->names(&TypeParam::ls, "*"), (Lines{"+a", " c"}));
  EXPECT_EQ(this->names(&TypeParam::lsmark, "*"), (Lines{"+a", "+b", "*f"}));
  this->tree_.unmark("/a/*/f");
  EXPECT_EQ(this->names(&TypeParam::ls, "*"), (Lines{" a", " c"}));
}

TYPED_TEST(TreeTest, MarkdirMarksNoFiles) {
  this->add("/a/", "", {.mode = mode_directory});
  this->add("/a/", "f", {.file_index = 2});
  EXPECT_EQ(this->tree_.mark_directory("a/"), 1U);
  EXPECT_EQ(this->tree_.count(), (Counts{2, 1}));
  EXPECT_EQ(this->tree_.unmark_directory("*"), 1U);
  EXPECT_EQ(this->tree_.mark_directory("f"), 0U);
}

TYPED_TEST(TreeTest, PatternsOfWholePaths) {
  for (const char* path : {"/", "/x/", "/x/y/", "/x/y/z/", "/other/"}) {
    this->add(path, "name with space");
    this->add(path, "line\nbreak");
    this->add(path, "größe");
  }
  EXPECT_EQ(this->tree_.mark("/**/größe"), 5U);
  EXPECT_EQ(this->tree_.mark("/x/**/name*"), 3U);
  EXPECT_EQ(this->tree_.mark("/x/y/**/line?break"), 2U);
  EXPECT_EQ(this->tree_.mark("[no]*/name*"), 1U);
  EXPECT_EQ(this->tree_.unmark("/**/gr??e"), 5U) << "a character may have many bytes";
  EXPECT_EQ(this->tree_.unmark("/"), 6U);
}

TYPED_TEST(TreeTest, CdAndPwd) {
  this->add("/home/anna/", "f");
  EXPECT_TRUE(this->tree_.cd("home/an*"));
  EXPECT_EQ(this->tree_.pwd(), "/home/anna/");
  EXPECT_FALSE(this->tree_.cd("f"));
  EXPECT_FALSE(this->tree_.cd("/nowhere"));
  EXPECT_EQ(this->tree_.pwd(), "/home/anna/");
  EXPECT_TRUE(this->tree_.cd("../.."));
  EXPECT_EQ(this->tree_.pwd(), "/");
  EXPECT_TRUE(this->tree_.cd(".."));
  this->add("C:/Users/", "g");
  EXPECT_TRUE(this->tree_.cd("C:/Users"));
  EXPECT_EQ(this->tree_.pwd(), "C:/Users/");
  EXPECT_EQ(this->tree_.mark("C:/*"), 1U);
}

TYPED_TEST(TreeTest, DirTellsWhatIsLargeOldOrRare) {
  this->add("/", "huge", {.size_bytes = std::int64_t{1} << 40});
  this->add("/", "small", {.file_index = 2, .size_bytes = 3});
  std::vector<std::int64_t> sizes;
  this->tree_.dir("*", [&](const ListedEntry& entry) { sizes.push_back(entry.stat.size_bytes); });
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{std::int64_t{1} << 40, 3}));
  this->tree_.mark("*");
  EXPECT_EQ(this->tree_.estimate(), (Estimate{2, 2, (std::uint64_t{1} << 40) + 3}));
}

TYPED_TEST(TreeTest, ManyNamesInOneDirectoryInAnyOrder) {
  constexpr std::uint32_t many = 20'000;
  for (std::uint32_t i = 0; i < many; ++i) {
    this->add("/d/", "f" + std::to_string(i * 7919U % many), {.file_index = i + 1});
  }
  for (std::uint32_t i = 0; i < many; i += 100) {
    this->add("/d/", "f" + std::to_string(i), {.file_index = i + 1, .job_id = 2});
  }
  EXPECT_EQ(this->tree_.count(), (Counts{many, 0}));
  EXPECT_EQ(this->tree_.mark("/d/f123"), 1U);
  EXPECT_EQ(this->tree_.mark("/d/f1??"), 99U);
  EXPECT_EQ(this->names(&TypeParam::find, "f123"), Lines{"*/d/f123"});
}

TYPED_TEST(TreeTest, NamesInOrderAndThenAgain) {
  for (const std::uint32_t job : {1U, 2U}) {
    for (std::uint32_t i = 0; i < 500; ++i) {
      this->add("/d/", "f" + std::to_string(i), {.file_index = i + 1, .job_id = job});
    }
    this->add("/d/sub/", "g", {.job_id = job});
  }
  EXPECT_EQ(this->tree_.count(), (Counts{501, 0}));
  EXPECT_EQ(this->tree_.mark("/d/*"), 501U);
  EXPECT_EQ(this->marked(), (Ranges{{2, 1, 500}}));
}

TEST(CompactTree, APathAsDeepAsCanBe) {
  CompactTree tree;
  std::string path = "/";
  while (path.size() + 2 <= longest_path) path += "d/";
  ParsedRow row;
  row.path = path;
  row.name = "f";
  row.file_index = 1;
  row.job_id = 1;
  ASSERT_EQ(tree.insert(row), RowFault::none);
  EXPECT_EQ(tree.mark("*"), 1U);
  EXPECT_EQ(tree.mark("/**/f"), 0U);
  EXPECT_EQ(tree.unmark("/**/f"), 1U);
  std::string longer = path + "d/";
  row.path = longer;
  EXPECT_EQ(tree.insert(row), RowFault::overlong_path);
}

}  // namespace
}  // namespace assay::restore
