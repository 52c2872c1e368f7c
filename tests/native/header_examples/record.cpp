// The examples of native/record, line for line (tools/header_examples.py).
#include <assay/record/build_facts.hpp>
#include <assay/record/git_revision.hpp>
#include <assay/record/host_facts.hpp>
#include <assay/record/json_context.hpp>
#include <assay/record/json_row.hpp>
#include <assay/record/lab_document.hpp>
#include <assay/testing/temporary_folder.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace assay {
namespace {

TEST(HeaderExamples, BuildFacts) {
  const assay::BuildFacts facts = ASSAY_BUILD_FACTS;  // a macro, in the user's source

  EXPECT_GE(facts.cplusplus, 202'002L);
}

TEST(HeaderExamples, GitRevision) {
  std::optional<std::string> revision = assay::git_revision(std::filesystem::current_path());

  EXPECT_TRUE(!revision || revision->size() >= 40U);
}

TEST(HeaderExamples, HostFacts) {
  const assay::HostFacts host = assay::read_host_facts();
  const std::string governor = host.governor.value_or("unknown");

  EXPECT_FALSE(governor.empty());
}

TEST(HeaderExamples, JsonContext) {
  nlohmann::ordered_json gbench_context;

  const assay::Facts facts = assay::gather_facts(ASSAY_BUILD_FACTS, "1.7.1");
  gbench_context["assay"] = assay::json_context(facts);

  EXPECT_TRUE(gbench_context["assay"].contains("build"));
}

TEST(HeaderExamples, JsonRow) {
  const std::string written = R"({"name": "BM"})";
  const RowTexts texts{{"name", "BM\n"}};
  const std::map<std::string, double> counters{
      {"cycles", std::numeric_limits<double>::quiet_NaN()}};
  const MemoryUse use{.peak_bytes = 24};

  nlohmann::ordered_json row = nlohmann::ordered_json::parse(written);  // by the library
  assay::complete_row(row, texts, counters, {{"cycles", "not supported on this host"}});
  row["assay"]["memory"] = assay::json_memory(use);

  EXPECT_EQ(row["name"], "BM\n");
  EXPECT_NE(row.dump().find("not supported on this host"), std::string::npos) << row;
}

Status lab_document_example(const std::filesystem::path& file) {
  const nlohmann::ordered_json rows = nlohmann::ordered_json::array();

  assay::LabContext context{.executable = "assay-index", .build = ASSAY_BUILD_FACTS};
  context.own["seed"] = 7;  // becomes context.assay.seed
  return assay::write_document(file, assay::lab_document(context, rows));
}

TEST(HeaderExamples, LabDocument) {
  const TemporaryFolder folder;
  EXPECT_TRUE(lab_document_example(folder.path() / "out.json"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out.json"));
}

}  // namespace
}  // namespace assay
