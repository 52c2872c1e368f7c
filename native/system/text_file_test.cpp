#include <assay/system/text_file.hpp>

#include <assay/system/file_descriptor.hpp>
#include <assay/testing/temporary_folder.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>

#include <fstream>

namespace assay {
namespace {

TEST(TextFile, GivesItsFirstLine) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "two") << "first \nsecond\n";
  EXPECT_EQ(first_line(folder.path() / "two"), "first");
}

TEST(TextFile, IsNothingWhereThereIsNone) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "blank") << "\nsecond\n";
  EXPECT_EQ(first_line(folder.path() / "none"), std::nullopt);
  EXPECT_EQ(first_line(folder.path() / "blank"), std::nullopt);
}

TEST(TextFile, ADescriptorIsReadFromItsBeginning) {
  const TemporaryFolder folder;
  const std::string text(200'000, 'x');
  std::ofstream(folder.path() / "long") << text;
  const FileDescriptor file(open((folder.path() / "long").c_str(), O_RDONLY | O_CLOEXEC));
  lseek(file.number(), 100, SEEK_SET);
  EXPECT_EQ(read_all(file.number()), text);
}

TEST(TextFile, IsWrittenWholeUnderItsName) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "out";
  ASSERT_TRUE(try_file(file));
  ASSERT_TRUE(write_file(file, "one\n"));
  ASSERT_TRUE(write_file(file, "two\n"));
  EXPECT_EQ(first_line(file), "two");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(TextFile, SaysWhyItCannotBeWritten) {
  for (const bool tries : {true, false}) {
    const Status done = tries ? try_file("/nowhere/out") : write_file("/nowhere/out", "x");
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().line(), "/nowhere/out: cannot be written: No such file or directory");
  }
  EXPECT_EQ(try_file("/tmp/").error().what, "is no name of a file");
}

}  // namespace
}  // namespace assay
