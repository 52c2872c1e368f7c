#include <assay/restore/catalogue/record_readers.hpp>

#include <assay/restore/compact/compact_tree.hpp>
#include <assay/restore/tree/intake.hpp>

#include <gtest/gtest.h>

namespace assay::restore {
namespace {

template <class Reader>
Rejections take_all(Reader reader, CompactTree& tree) {
  Intake intake(tree);
  while (const auto record = reader.next()) {
    if (record->fault == RowFault::none) {
      intake.take(record->columns);
    } else {
      intake.reject(record->fault);
    }
  }
  return intake.rejections();
}

std::vector<std::string> found(const CompactTree& tree, const std::string& pattern) {
  std::vector<std::string> paths;
  tree.find(pattern, [&](const ListedEntry& entry) { paths.emplace_back(entry.name); });
  return paths;
}

const std::string facts = ",1,1,A B IGk B A A A C A A A A A A,0,0,0\n";

TEST(CsvReader, QuotesCommasAndNewlines) {
  CompactTree tree;
  const std::string text = "Path,Name,FileIndex,JobId,LStat,DeltaSeq,Fhinfo,Fhnode\r\n/a/,plain" +
                           facts + "/a/,\"with, comma\"" + facts + "\"/a/\",\"two\nlines\"" +
                           facts + "/a/,\"a \"\"quote\"\"\"" + facts;
  EXPECT_EQ(take_all(CsvReader(text), tree).count(), 0U);
  EXPECT_EQ(found(tree, "[!a]*"),
            (std::vector<std::string>{"/a/plain", "/a/with, comma", "/a/two\nlines"}));
  EXPECT_EQ(found(tree, "a ?quote?"), std::vector<std::string>{"/a/a \"quote\""});
}

TEST(CsvReader, BadRecordsAreToldAndTheOthersRead) {
  CompactTree tree;
  const std::string text = "/a/,one" + facts + "/a/,\"never closed" + facts + "/a/,short,1\n" +
                           "/a/,\"closed\"too soon" + facts + "/a/,last" + facts;
  const Rejections rejections = take_all(CsvReader(text), tree);
  EXPECT_EQ(rejections.first(), (std::vector<Rejection>{{2, RowFault::unreadable_record},
                                                        {3, RowFault::wrong_column_count},
                                                        {4, RowFault::unreadable_record}}));
  EXPECT_EQ(found(tree, "?*[et]"), (std::vector<std::string>{"/a/one", "/a/last"}));
}

std::string record(const std::string& inode, const std::string& links, const std::string& type,
                   const std::string& path) {
  return "2049 " + inode + " 644 " + links + " 1000 1000 12 1600000000.5 " + type + " " + path +
         std::string(1, '\0');
}

TEST(ListingReader, HardLinksDirectoriesAndOddNames) {
  CompactTree tree;
  const std::string text = record("1", "3", "d", "/home") + record("2", "2", "f", "/home/first") +
                           record("2", "2", "f", "/home/se cond") +
                           record("3", "1", "l", "/home/new\nline") + record("9", "1", "d", "/");
  EXPECT_EQ(take_all(ListingReader(text), tree).count(), 0U);
  EXPECT_EQ(tree.count().entries, 5U);
  EXPECT_EQ(tree.mark("/home/se*"), 2U) << "with the first name";
  EXPECT_EQ(tree.estimate().bytes, 24U);
  EXPECT_EQ(tree.mark("/home/new?line"), 1U);
}

TEST(ListingReader, BadRecordsAreToldAndTheOthersRead) {
  CompactTree tree;
  const std::string text = record("1", "1", "f", "/a") + std::string("nonsense\0", 9) +
                           record("1", "1", "?", "/b") + record("x", "1", "f", "/c") +
                           record("4", "1", "f", "/d");
  const Rejections rejections = take_all(ListingReader(text), tree);
  ASSERT_EQ(rejections.count(), 3U);
  EXPECT_EQ(rejections.first()[0].line(), "row 2: a record that its format does not allow");
  EXPECT_EQ(found(tree, "*"), (std::vector<std::string>{"/a", "/d"}));
}

TEST(ReadText, SaysWhichFile) {
  const Result<std::string> text = read_text("/nonexistent/listing");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().where, "/nonexistent/listing");
}

}  // namespace
}  // namespace assay::restore
