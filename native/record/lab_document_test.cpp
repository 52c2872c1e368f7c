#include <assay/record/lab_document.hpp>

#include <assay/testing/temporary_folder.hpp>

#include <gtest/gtest.h>

#include <fstream>

namespace assay {
namespace {

using nlohmann::ordered_json;

LabContext context() {
  LabContext context{.executable = "assay-lab -x", .build = ASSAY_BUILD_FACTS};
  context.own["seed"] = 7;
  return context;
}

TEST(LabDocument, HasTheContextThatEveryRecordHas) {
  const ordered_json document = lab_document(context(), ordered_json::array({{{"name", "a"}}}));
  const ordered_json& said = document["context"];
  EXPECT_EQ(said["executable"], "assay-lab -x");
  EXPECT_EQ(said["assay"]["seed"], 7);
  EXPECT_TRUE(said["assay"].contains("host"));
  EXPECT_FALSE(said["host_name"].get<std::string>().empty());
  EXPECT_GT(said["num_cpus"], 0);
  EXPECT_TRUE(said["date"].get<std::string>().ends_with("+00:00"));
  EXPECT_EQ(document["benchmarks"][0]["name"], "a");
}

TEST(LabDocument, AppearsWholeUnderItsName) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "out.json";
  ASSERT_TRUE(write_document(file, lab_document(context(), ordered_json::array())));
  std::ifstream stream(file);
  EXPECT_EQ(ordered_json::parse(stream)["context"]["assay"]["seed"], 7);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(LabDocument, SaysWhereItCannotBeWritten) {
  const Status done = write_document("/nowhere/out.json", ordered_json::object());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().where, "/nowhere/out.json");
  EXPECT_NE(done.error().what.find("cannot be written: "), std::string::npos);
}

}  // namespace
}  // namespace assay
