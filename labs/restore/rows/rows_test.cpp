// Rows as text: which are accepted, and which are rejected with their row number while the others
// are kept.
#include <assay/base/random.hpp>
#include <assay/restore/compact/compact_tree.hpp>
#include <assay/restore/rows/lstat_usual.hpp>
#include <assay/restore/rows/row_chunk.hpp>
#include <assay/restore/tree/intake.hpp>

#include <gtest/gtest.h>

#include <charconv>

namespace assay::restore {
namespace {

const std::string usual =
    "QEC Lc/D IGk B Po Po A CQ7 BAA I BgeTkO BgeTkO BgeTkO A A M";  // as Bareos clients send it

TEST(Lstat, ReadsWhatAClientWrote) {
  FileStat stat;
  ASSERT_EQ(decode_lstat(usual, stat), RowFault::none);
  EXPECT_EQ(stat.mode, 8U << 12U | 6U << 6U | 36U);  // IGk: -rw-r--r--
  EXPECT_EQ(stat.link_count, 1U);
  EXPECT_EQ(stat.uid, 1000U);
  EXPECT_EQ(stat.size_bytes, 2 * 4096 + 16 * 64 + 59);
  EXPECT_EQ(stat.link_file_index, 0U);
}

TEST(Lstat, EveryNumberComesBack) {
  Random random(1729);
  for (int i = 0; i < 20'000; ++i) {
    FileStat stat;
    const auto number = [&] { return random() >> random.below(64); };
    stat.mode = static_cast<std::uint32_t>(number());
    stat.link_count = static_cast<std::uint32_t>(number());
    stat.uid = static_cast<std::uint32_t>(number());
    stat.gid = static_cast<std::uint32_t>(number());
    stat.size_bytes = static_cast<std::int64_t>(number());
    stat.mtime_s = static_cast<std::int64_t>(number());
    stat.link_file_index = static_cast<std::uint32_t>(number());
    std::string text;
    append_lstat(text, stat, number() >> 1U);
    FileStat again;
    ASSERT_EQ(decode_lstat(text, again), RowFault::none) << text;
    ASSERT_EQ(again, stat) << text;
    FileStat plainly;
    if (decode_usual_lstat_plainly(text, plainly)) {
      ASSERT_EQ(plainly, stat) << text;
    }
  }
}

TEST(Lstat, WithVectorsAndWithoutItIsTheSame) {
  Random random(7);
  const std::string characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  int usual_ones = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::uint64_t length = 30 + random.below(100); length > 0; --length) {
      const bool may_end = !text.empty() && text.back() != ' ' && length > 1;
      text += may_end && random.below(4) == 0 ? ' ' : characters[random.below(64)];
    }
    if (random.below(3) == 0)
      text[random.below(text.size())] = static_cast<char>(random.below(256));
    FileStat fast;
    FileStat plain;
    const bool is_usual = decode_usual_lstat(text, fast);
    ASSERT_EQ(is_usual, decode_usual_lstat_plainly(text, plain)) << text;
    if (is_usual) {
      ASSERT_EQ(fast, plain) << text;
    }
    usual_ones += is_usual ? 1 : 0;
  }
  EXPECT_GT(usual_ones, 100);
}

TEST(Lstat, AnyOneWrongCharacterIsSeen) {
  FileStat stat;
  for (std::size_t at = 0; at < usual.size(); ++at) {
    for (const char wrong : {'!', '-', '\0', '\n', '=', '\x80', ',', ':', '@', '[', '`', '{'}) {
      std::string text = usual;
      text[at] = wrong;
      const bool negates = wrong == '-' && (at == 0 || usual[at - 1] == ' ') && text[at + 1] != ' ';
      if (!negates) {
        EXPECT_EQ(decode_lstat(text, stat), RowFault::bad_lstat_base64) << text;
      }
    }
  }
}

TEST(Lstat, TooFewFieldsAndEmptyOnes) {
  FileStat stat;
  EXPECT_EQ(decode_lstat("ff", stat), RowFault::short_lstat);
  EXPECT_EQ(decode_lstat("", stat), RowFault::bad_lstat_base64);
  EXPECT_EQ(decode_lstat(usual + " ", stat), RowFault::bad_lstat_base64);
  EXPECT_EQ(decode_lstat(" " + usual, stat), RowFault::bad_lstat_base64);
  EXPECT_EQ(decode_lstat(usual + "  A", stat), RowFault::bad_lstat_base64);
  EXPECT_EQ(decode_lstat("A B C D E F G H I J K L M", stat), RowFault::short_lstat);
  EXPECT_EQ(decode_lstat("A B C D E F G H I J K L M N", stat), RowFault::none);
}

RowFault fault_of(const RowText& row) {
  ParsedRow parsed;
  return parse_row(row, parsed);
}

RowText good_row() {
  return {"/etc/", "hosts", "7", "3", usual, "0", "0", "0"};
}

RowFault with(Column column, std::string_view text) {
  RowText row = good_row();
  row[static_cast<std::size_t>(column)] = text;
  return fault_of(row);
}

TEST(Row, EveryColumnIsChecked) {
  using enum RowFault;
  EXPECT_EQ(fault_of(good_row()), none);
  EXPECT_EQ(with(Column::path, "/etc"), path_without_slash);
  EXPECT_EQ(with(Column::path, ""), path_without_slash);
  EXPECT_EQ(with(Column::path, std::string(70'000, '/')), overlong_path);
  EXPECT_EQ(with(Column::name, std::string(256, 'n')), overlong_name);
  EXPECT_EQ(with(Column::name, std::string(255, 'n')), none);
  EXPECT_EQ(with(Column::name, "a/b"), slash_or_nul_in_name);
  EXPECT_EQ(with(Column::name, "a name that is longer/than a word"), slash_or_nul_in_name);
  EXPECT_EQ(with(Column::name, std::string_view("a\0b", 3)), slash_or_nul_in_name);
  EXPECT_EQ(with(Column::file_index, ""), bad_file_index);
  EXPECT_EQ(with(Column::file_index, "-1"), bad_file_index);
  EXPECT_EQ(with(Column::file_index, "2147483648"), bad_file_index);
  EXPECT_EQ(with(Column::job_id, "0"), bad_job_id);
  EXPECT_EQ(with(Column::job_id, "4294967296"), bad_job_id);
  EXPECT_EQ(with(Column::lstat, "A B"), short_lstat);
  EXPECT_EQ(with(Column::lstat, "A!B"), bad_lstat_base64);
  EXPECT_EQ(with(Column::delta_seq, "x"), bad_delta_seq);
  EXPECT_EQ(with(Column::fhinfo, "18446744073709551615"), none);
  EXPECT_EQ(with(Column::fhinfo, "18446744073709551616"), bad_fhinfo);
  EXPECT_EQ(with(Column::fhnode, "99999999999999999999"), bad_fhnode);
  const RowText row = good_row();
  ParsedRow parsed;
  EXPECT_EQ(parse_row(Columns(row).first(7), parsed), wrong_column_count);
}

TEST(Row, NumbersAreReadAsTheStandardLibraryReadsThem) {
  Random random(5);
  const std::string characters = "0123456789";
  const std::string wrong = "/:-+ aA\xff\x80";
  int taken = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::string text(random.below(22), '0');
    for (char& c : text) c = characters[random.below(characters.size())];
    if (!text.empty() && random.below(4) == 0) {
      text[random.below(text.size())] = wrong[random.below(wrong.size())];
    }
    const std::uint64_t most = random() >> random.below(64);
    std::uint64_t expected = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), expected);
    const bool is_number =
        error == std::errc() && end == text.data() + text.size() && text.size() <= 20;
    std::uint64_t number = 0;
    const bool was_taken = parse_decimal(text, most, number);
    ASSERT_EQ(was_taken, is_number && expected <= most) << text << " of at most " << most;
    if (!was_taken) continue;
    ASSERT_EQ(number, expected) << text;
    ++taken;
  }
  EXPECT_GT(taken, 10'000);
}

TEST(Row, PathsAreCheckedByTheTree) {
  EXPECT_EQ(check_path("/a//b/"), RowFault::empty_component);
  EXPECT_EQ(check_path("//"), RowFault::empty_component);
  EXPECT_EQ(check_path("/" + std::string(256, 'd') + "/"), RowFault::overlong_name);
  EXPECT_EQ(check_path("/"), RowFault::none);
  EXPECT_EQ(check_path("C:/x/"), RowFault::none);
}

TEST(Intake, ABadRowIsToldByItsNumberAndTheOthersStay) {
  CompactTree tree;
  Intake intake(tree);
  std::vector<std::string> names;
  for (int i = 0; i < 300; ++i) names.push_back("f" + std::to_string(i));
  for (int i = 0; i < 300; ++i) {
    RowText row = good_row();
    row[1] = names[static_cast<std::size_t>(i)];
    if (i % 2 == 1) row[4] = "bad!";
    intake.take(row);
  }
  EXPECT_EQ(tree.count().entries, 150U);
  EXPECT_EQ(intake.rejections().count(), 150U);
  EXPECT_EQ(intake.rejections().first().size(), Rejections::most_kept);
  EXPECT_EQ(intake.rejections().first()[1].line(),
            "row 4: LStat is not base64 numbers with spaces between");
}

TEST(Intake, RowsTogetherAreTakenAsRowsOneByOne) {
  RowChunk chunk;
  Random random(7);
  for (int i = 0; i < 3000; ++i) {
    const bool is_bad = random.below(10) == 0;
    const std::string name = "f" + std::to_string(random.below(1500));
    chunk.add(random.below(100) == 0 ? "/b/" : "/a/").add(name);
    chunk.add(static_cast<std::uint64_t>(i)).add("1").add(is_bad ? "bad!" : usual);
    chunk.add("0").add("0").add("0");
  }
  chunk.seal();
  CompactTree together_tree;
  CompactTree one_by_one_tree;
  Intake together(together_tree);
  Intake one_by_one(one_by_one_tree);
  together.take(chunk.rows());
  for (const RowText& row : chunk.rows()) one_by_one.take(row);
  EXPECT_EQ(together.rows(), 3000U);
  EXPECT_GT(together.rejections().count(), 200U);
  EXPECT_EQ(together.rejections().count(), one_by_one.rejections().count());
  EXPECT_EQ(together.rejections().first(), one_by_one.rejections().first());
  EXPECT_GT(together_tree.count().entries, 1000U);
  EXPECT_EQ(together_tree.count(), one_by_one_tree.count());
  together_tree.mark("/*");
  one_by_one_tree.mark("/*");
  EXPECT_EQ(together_tree.bootstrap(), one_by_one_tree.bootstrap());
}

}  // namespace
}  // namespace assay::restore
