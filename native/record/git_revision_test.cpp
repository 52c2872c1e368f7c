#include <assay/record/git_revision.hpp>

#include <assay/testing/temporary_folder.hpp>

#include <gtest/gtest.h>

namespace assay {
namespace {

const std::string revision(40, 'a');
const std::string other(40, 'b');

TEST(GitRevision, OfABranch) {
  const TemporaryFolder root;
  root.write(".git/HEAD", "ref: refs/heads/main\n");
  root.write(".git/refs/heads/main", revision + "\n");
  EXPECT_EQ(git_revision(root.path()), revision);
}

TEST(GitRevision, OfAFolderBelow) {
  const TemporaryFolder root;
  root.write(".git/HEAD", revision + "\n");
  root.write("deep/down/file", "");
  EXPECT_EQ(git_revision(root.path() / "deep/down"), revision);
}

TEST(GitRevision, OfAPackedBranch) {
  const TemporaryFolder root;
  root.write(".git/HEAD", "ref: refs/heads/main\n");
  root.write(".git/packed-refs",
             "# pack-refs\n" + other + " refs/heads/mainly\n" + revision + " refs/heads/main\n");
  EXPECT_EQ(git_revision(root.path()), revision);
}

TEST(GitRevision, OfALinkedWorkTree) {
  const TemporaryFolder root;
  root.write("main/.git/refs/heads/topic", revision + "\n");
  root.write("main/.git/worktrees/linked/HEAD", "ref: refs/heads/topic\n");
  root.write("main/.git/worktrees/linked/commondir", "../..\n");
  root.write("linked/.git", "gitdir: " + (root.path() / "main/.git/worktrees/linked").string());
  EXPECT_EQ(git_revision(root.path() / "linked"), revision);
}

TEST(GitRevision, IsAbsentOutsideOfARepositoryAndBeforeTheFirstCommit) {
  const TemporaryFolder root;
  EXPECT_EQ(git_revision(root.path()), std::nullopt);
  root.write(".git/HEAD", "ref: refs/heads/main\n");
  EXPECT_EQ(git_revision(root.path()), std::nullopt);
}

}  // namespace
}  // namespace assay
