// Which part of a memory file is dropped and which is kept while a program writes to it.
#include <assay/measure/launch/output_limit.hpp>

#include <assay/system/file_descriptor.hpp>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>

namespace assay {
namespace {

constexpr std::int64_t kept = std::int64_t{1} << 20U;

FileDescriptor written(std::int64_t bytes) {
  FileDescriptor file(memfd_create("output", MFD_CLOEXEC));
  const std::string block(65536, 'x');
  for (std::int64_t done = 0; done < bytes; done += 65536) {
    EXPECT_EQ(write(file.number(), block.data(), block.size()), 65536);
  }
  EXPECT_EQ(write(file.number(), "the end", 7), 7);
  return file;
}

std::int64_t taken_bytes(const FileDescriptor& file) {
  struct stat now {};
  fstat(file.number(), &now);
  return std::int64_t{now.st_blocks} * 512;
}

TEST(OutputLimit, KeepsTheEndOfAFlood) {
  const FileDescriptor file = written(8 * kept);
  ASSERT_GT(taken_bytes(file), 8 * kept);
  drop_all_but_the_end(file.number(), kept);
  EXPECT_LT(taken_bytes(file), kept + 16384);
  std::array<char, 7> end{};
  EXPECT_EQ(pread(file.number(), end.data(), end.size(), 8 * kept), 7);
  EXPECT_EQ(std::string(end.data(), end.size()), "the end");
}

TEST(OutputLimit, LeavesWhatIsSmallWhole) {
  const FileDescriptor file = written(kept);
  drop_all_but_the_end(file.number(), kept);
  EXPECT_GT(taken_bytes(file), kept);
  char first = 0;
  EXPECT_EQ(pread(file.number(), &first, 1, 0), 1);
  EXPECT_EQ(first, 'x');
}

TEST(OutputLimit, LeavesAPipeAlone) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const FileDescriptor read_end(ends[0]);
  const FileDescriptor write_end(ends[1]);
  drop_all_but_the_end(write_end.number(), 0);
  EXPECT_EQ(write(write_end.number(), "x", 1), 1);
}

}  // namespace
}  // namespace assay
