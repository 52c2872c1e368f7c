// The examples of labs/os/harness and os/cli, line for line (tools/header_examples.py).
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/cli/catalogue.hpp>
#include <assay/os/cli/command.hpp>
#include <assay/os/cli/libmicro_facts.hpp>
#include <assay/os/harness/case.hpp>
#include <assay/os/harness/case_list.hpp>
#include <assay/os/harness/effort.hpp>
#include <assay/os/harness/launch.hpp>
#include <assay/os/harness/option.hpp>
#include <assay/os/harness/plan_text.hpp>
#include <assay/os/harness/sampling.hpp>
#include <assay/os/harness/scratch.hpp>
#include <assay/os/harness/setting.hpp>
#include <assay/testing/temporary_folder.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace assay::os {
namespace {

// ---- harness -----------------------------------------------------------------------------

class Strlen final : public Work {
 public:
  explicit Strlen(const Setting& setting)
      : text_(static_cast<std::size_t>(setting.number('s')), 'x') {}
  Status run(Calls calls) override {
    const char* const text = text_.c_str();
    for (Calls i = 0; i < calls; ++i) do_not_optimize(std::strlen(opaque_value(text)));
    return {};
  }

 private:
  std::string text_;
};

Case strlen_case() {
  return {.name = "strlen",
          .summary = "length of a string",
          .options = {number('s', "size", "100", "bytes")},
          .stage = each<Strlen>};
}

Status launch_example(const Case& a_case, const Setting& setting, const Effort& effort) {
  const Launched launched = launch({.what = &a_case, .setting = setting, .effort = effort});
  if (launched.trouble) return *launched.trouble;

  EXPECT_EQ(launched.per_call_ns.size(), 3U);
  return {};
}

TEST(HeaderExamples, CaseAndLaunch) {
  const Case a_case = strlen_case();
  EXPECT_TRUE(launch_example(a_case, Setting(a_case.options), {.samples = 3}));
}

TEST(HeaderExamples, CaseList) {
  const std::optional<Case> found = find_case("strlen");  // nothing: there is none

  EXPECT_TRUE(found);
}

TEST(HeaderExamples, Effort) {
  const Effort effort{.samples = 17, .longest_ns = 800'000'000};

  EXPECT_EQ(effort.batch, 0);
}

TEST(HeaderExamples, Option) {
  const std::vector<Option> options{number('s', "size", "100", "bytes"),
                                    flag('n', "unaligned", "off by one byte")};

  EXPECT_EQ(Setting(options).number('s'), 100);
}

TEST(HeaderExamples, PlanText) {
  const Case a_case = find_case("strlen").value();
  const LaunchPlan plan{.what = &a_case, .setting = Setting(a_case.options)};

  const std::string text = text_of(plan);
  const Result<OwnedPlan> same = plan_from(text);

  ASSERT_TRUE(same) << same.error().line();
  EXPECT_EQ(same->what.name, "strlen");
}

Status sampling_example(Work& work, const WorkerId& worker, WorkerBarrier& barrier,
                        const SampleTable& table, const Effort& effort) {
  Sampler sampler(work, worker, barrier, table, effort);
  if (Status done = sampler.calibrate(); !done) return done;
  return sampler.take_all();
}

TEST(HeaderExamples, Sampling) {
  Strlen work(Setting(strlen_case().options));
  WorkerBarrier barrier(1);
  const WorkerId worker;
  const Effort effort{.samples = 2};
  const SampleTable table = SampleTable::make(1, effort.samples).value();
  EXPECT_TRUE(sampling_example(work, worker, barrier, table, effort));
}

Status scratch_example(const std::string& dir) {
  const auto scratch = Scratch::make(dir);  // "": the usual places
  if (!scratch) return scratch.error();
  const auto path = scratch->resolve("@tmp");  // of a 10 MB file, made when asked

  return path ? Status() : path.error();
}

TEST(HeaderExamples, Scratch) {
  const TemporaryFolder folder;
  const Status done = scratch_example(folder.path());
  EXPECT_TRUE(done) << done.error().line();
}

TEST(HeaderExamples, Setting) {
  const Setting setting(strlen_case().options);

  const std::int64_t size = setting.number('s');  // and so flag('n'), text('f'), workers()

  EXPECT_EQ(size, 100);
}

// ---- cli ---------------------------------------------------------------------------------

TEST(HeaderExamples, Catalogue) {
  std::vector<std::vector<std::string>> all;

  for (const CatalogueRun& run : catalogue()) all.push_back(run.words());  // {"exec", "-N", ...}

  EXPECT_GT(all.size(), 261U);
}

TEST(HeaderExamples, Command) {
  const Result<Command> command = parse_command({"exec", "-E", "-C", "100", "-N", "exec"});

  ASSERT_TRUE(command) << command.error().line();
  EXPECT_EQ(command->samples, 100);
}

TEST(HeaderExamples, LibmicroFacts) {
  std::fputs(libmicro_facts().c_str(), stdout);

  EXPECT_TRUE(libmicro_facts().starts_with("!"));
}

}  // namespace
}  // namespace assay::os
