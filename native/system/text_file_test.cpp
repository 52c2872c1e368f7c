#include <assay/system/text_file.hpp>

#include <assay/system/file_descriptor.hpp>
#include <assay/testing/temporary_folder.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>

#include <fstream>

namespace assay {
namespace {

TEST(TextFile, IsReadWholeOrByItsFirstLine) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "two") << "first \nsecond\n";
  EXPECT_EQ(read_file(folder.path() / "two"), "first \nsecond\n");
  EXPECT_EQ(first_line(folder.path() / "two"), "first");
}

TEST(TextFile, IsNothingWhereThereIsNone) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "blank") << "\nsecond\n";
  EXPECT_EQ(read_file(folder.path() / "none"), std::nullopt);
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

}  // namespace
}  // namespace assay
