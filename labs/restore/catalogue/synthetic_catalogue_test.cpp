#include <assay/restore/catalogue/synthetic_catalogue.hpp>

#include <assay/restore/compact/compact_tree.hpp>
#include <assay/restore/tree/intake.hpp>
#include <assay/restore/tree/map_tree.hpp>

#include <gtest/gtest.h>

#include <set>

namespace assay::restore {
namespace {

template <class Visit>
void for_each_row(const CatalogueSpec& spec, Visit visit) {
  SyntheticCatalogue catalogue(spec);
  RowChunk chunk;
  while (catalogue.next(chunk)) {
    for (const RowText& row : chunk.rows()) visit(row);
  }
}

std::string text_of(const CatalogueSpec& spec) {
  std::string text;
  for_each_row(spec, [&](const RowText& row) {
    for (const std::string_view column : row) text.append(column) += '|';
  });
  return text;
}

class EveryShape : public testing::TestWithParam<Shape> {};

TEST_P(EveryShape, IsTakenWholeByBothTreesAlike) {
  for (const NameOrder order : {NameOrder::numeric, NameOrder::shuffled, NameOrder::reversed}) {
    const CatalogueSpec spec{GetParam(), order, 7'001, 3};
    CompactTree compact;
    MapTree plain;
    Intake<CompactTree> into_compact(compact);
    Intake<MapTree> into_plain(plain);
    for_each_row(spec, [&](const RowText& row) {
      into_compact.take(row);
      into_plain.take(row);
    });
    EXPECT_EQ(into_compact.rejections().count(), 0U);
    EXPECT_GE(compact.count().entries, 7'001U);
    EXPECT_EQ(compact.mark("*"), plain.mark("*"));
    EXPECT_EQ(compact.estimate(), plain.estimate());
    EXPECT_EQ(compact.bootstrap(), plain.bootstrap());
    EXPECT_EQ(compact.unmark("*"), plain.unmark("*"));
    EXPECT_EQ(compact.count().marked, 0U);
  }
}

TEST_P(EveryShape, TheSeedDecidesAll) {
  const CatalogueSpec spec{GetParam(), NameOrder::shuffled, 3'000, 5};
  CatalogueSpec other = spec;
  other.seed = 6;
  EXPECT_EQ(text_of(spec), text_of(spec));
  EXPECT_NE(text_of(spec), text_of(other));
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryShape,
                         testing::Values(Shape::nested, Shape::home, Shape::mail, Shape::source));

TEST(SyntheticCatalogue, NestedIsTheSeedsShape) {
  std::set<std::string> paths;
  std::uint64_t rows = 0;
  for_each_row({.files = 3'000}, [&](const RowText& row) {
    paths.emplace(row[0]);
    ++rows;
  });
  EXPECT_EQ(rows, 3'000U);
  ASSERT_EQ(paths.size(), 30U);
  EXPECT_EQ(*paths.begin(), "/dir0/");
  EXPECT_TRUE(paths.rbegin()->ends_with("/dir28/dir29/"));
}

TEST(SyntheticCatalogue, HomeHasLinksDeltasAndTwoJobs) {
  std::uint64_t links = 0;
  std::uint64_t deltas = 0;
  std::uint64_t second_job = 0;
  for_each_row({.shape = Shape::home, .files = 10'000}, [&](const RowText& row) {
    ParsedRow parsed;
    ASSERT_EQ(parse_row(row, parsed), RowFault::none);
    links += parsed.is_link() ? 1U : 0U;
    deltas += parsed.delta_seq > 0 ? 1U : 0U;
    second_job += parsed.job_id == 2 ? 1U : 0U;
  });
  EXPECT_GT(links, 100U);
  EXPECT_GT(deltas, 50U);
  EXPECT_GT(second_job, 300U);
}

}  // namespace
}  // namespace assay::restore
