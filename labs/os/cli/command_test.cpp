#include <assay/os/cli/command.hpp>

#include <assay/os/bench_name.hpp>
#include <assay/os/cli/catalogue.hpp>
#include <assay/os/harness/case_list.hpp>

#include <gtest/gtest.h>

#include <set>

namespace assay::os {
namespace {

TEST(Command, OfTheSeed) {
  const auto command =
      parse_command({"exec", "-E", "-C", "10000", "-D", "10", "-L", "-S", "-N", "exec"});
  ASSERT_TRUE(command) << command.error().line();
  EXPECT_EQ(command->what.name, "exec");
  EXPECT_EQ(command->samples, 10'000);
  EXPECT_EQ(command->longest_s, 10);
  EXPECT_TRUE(on(command->echo) && on(command->show_arguments) && on(command->statistics));
  EXPECT_FALSE(on(command->mean) || on(command->align) || on(command->no_header));
  EXPECT_EQ(command->setting.workers(), 1);
}

TEST(Command, LettersMayBeJoinedAndValuesToo) {
  const auto command = parse_command({"strlen", "-ELSs10k", "-P2", "-T", "3"});
  ASSERT_TRUE(command) << command.error().line();
  EXPECT_TRUE(on(command->echo) && on(command->show_arguments) && on(command->statistics));
  EXPECT_EQ(command->setting.number('s'), 10'240);
  EXPECT_EQ(command->setting.workers(), 6);
  EXPECT_EQ(command->name, "strlen");
}

TEST(Command, LongNames) {
  const auto command =
      parse_command({"strlen", "--size=1k", "--unaligned", "--samples", "7", "--launches", "2"});
  ASSERT_TRUE(command) << command.error().line();
  EXPECT_EQ(command->setting.number('s'), 1024);
  EXPECT_TRUE(command->setting.flag('n'));
  EXPECT_EQ(command->samples, 7);
  EXPECT_EQ(command->launches, 2);
}

TEST(Command, SaysWhetherItsEffortWasAskedFor) {
  EXPECT_FALSE(on(parse_command({"nop", "-S", "-T", "2"})->effort_given));
  for (const auto* const option : {"-C", "-D", "--launches"}) {
    EXPECT_TRUE(on(parse_command({"nop", option, "2"})->effort_given)) << option;
  }
}

TEST(Command, OneProcessOverridesProcesses) {
  const auto command = parse_command({"nop", "-P", "4", "-1", "-T", "2"});
  ASSERT_TRUE(command);
  EXPECT_EQ(command->setting.processes, 1);
  EXPECT_EQ(command->setting.threads, 2);
}

TEST(Command, OperandsStandAfterOptions) {
  const auto command = parse_command({"chdir", "-g", "/", "/tmp"});
  ASSERT_TRUE(command);
  EXPECT_EQ(command->setting.operands, (std::vector<std::string>{"/", "/tmp"}));
}

TEST(Command, FolderOfACascadeIsTheDir) {
  const auto command = parse_command({"cascade_flock", "-d", "/var/tmp"});
  ASSERT_TRUE(command);
  EXPECT_EQ(command->dir, "/var/tmp");
}

TEST(Command, WhatIsWrongIsSaid) {
  const auto line = [](const std::vector<std::string>& words) {
    const auto command = parse_command(words);
    return command ? std::string("understood") : command.error().line();
  };
  EXPECT_EQ(line({}), "assay os: no case named (see assay os list)");
  EXPECT_EQ(line({"strlne"}), "strlne: no such case (see assay os list)");
  EXPECT_EQ(line({"strlen", "-q"}), "strlen -q: no such option (see assay os list strlen)");
  EXPECT_EQ(line({"strlen", "--quick"}),
            "strlen --quick: no such option (see assay os list strlen)");
  EXPECT_EQ(line({"strlen", "-s"}), "-s: needs a value");
  EXPECT_EQ(line({"strlen", "-s", "ten"}), "-s ten: not a number (try 100, 10k or 4m)");
  EXPECT_EQ(line({"nop", "-C", "0"}), "-C 0: must be 1 or more");
  EXPECT_EQ(line({"nop", "-C", "1000000000"}), "understood");
  EXPECT_EQ(line({"nop", "-C", "1000000001"}), "-C 1000000001: must be 1000000000 or less");
  EXPECT_EQ(line({"nop", "-D", "soon"}), "-D soon: not a number of seconds (try 5 or 0.5)");
  EXPECT_EQ(line({"nop", "-P", "20000"}), "-P 20000: must lie between 1 and 10000");
  EXPECT_EQ(line({"nop", "--align=yes"}), "--align: takes no value");
  EXPECT_EQ(line({"nop", "--report", "none"}),  // `assay os` handles --report itself
            "nop --report: no such option (see assay os list nop)");
}

TEST(Command, ShownWithoutWhereItGoes) {
  const auto command = parse_command({"nop", "-S", "--json", "x", "--json=y", "-C", "3"});
  ASSERT_TRUE(command);
  EXPECT_EQ(shown_words(*command), "nop -S -C 3");
}

// A case's options must not have the letter or name of an option that every case has, nor of each
// other.
TEST(Cases, OptionsDoNotClash) {
  const std::string common = "1ABCDEHLMNPSTVW?";
  for (const Case& one : all_cases()) {
    std::set<std::string> names;
    std::string letters = common;
    for (const Option& option : one.options) {
      EXPECT_EQ(letters.find(option.letter), std::string::npos)
          << one.name << " -" << option.letter;
      letters += option.letter;
      EXPECT_TRUE(names.insert(std::string(option.name)).second) << one.name << option.name;
    }
    EXPECT_FALSE(one.summary.empty()) << one.name;
    EXPECT_NE(one.stage, nullptr) << one.name;
  }
}

TEST(Cases, AreCalledAsTheirFiles) {
  EXPECT_GE(all_cases().size(), 30U);
  for (const Case& one : all_cases()) {
    const auto found = find_case(one.name);
    EXPECT_TRUE(found && found->summary == one.summary) << one.name;
  }
  EXPECT_FALSE(find_case("none"));
}

TEST(Catalogue, HasLibMicrosRuns) {
  EXPECT_EQ(libmicro_runs().size(), 261U);
  std::set<std::string_view> names;
  for (const CatalogueRun& run : catalogue()) {
    EXPECT_TRUE(names.insert(run.name).second) << run.name;
    if (!find_case(run.what)) continue;
    const auto command = parse_command(run.words());
    ASSERT_TRUE(command) << run.name << ": " << command.error().line();
    EXPECT_EQ(command->name, run.name);
  }
}

TEST(Catalogue, SpellsOutEachWordOfAFamily) {
  const CatalogueRuns families[] = {
      {"read_*%", "read", "-s % -f *", "t=@tmp z=/dev/zero", "1k 10k"}, {"log", "log"}};
  std::string told;
  for (const CatalogueRun& run : expanded_runs(families)) {
    told += run.name + ": " + std::string(run.what) + " " + run.options + "\n";
  }
  EXPECT_EQ(told,
            "read_t1k: read -s 1k -f @tmp\n"
            "read_t10k: read -s 10k -f @tmp\n"
            "read_z1k: read -s 1k -f /dev/zero\n"
            "read_z10k: read -s 10k -f /dev/zero\n"
            "log: log \n");
}

TEST(BenchName, NamesWhatWasGiven) {
  const auto name = [](const std::vector<std::string>& words) {
    const auto command = parse_command(words);
    return command ? bench_name(*command) : command.error().line();
  };
  EXPECT_EQ(name({"strlen", "-s", "10", "-N", "x"}), "os/strlen/size:10");
  EXPECT_EQ(name({"strlen"}), "os/strlen");
  EXPECT_EQ(name({"close", "-b"}), "os/close/bad");
  EXPECT_EQ(name({"close", "-f", "/dev/zero"}), "os/close/file:zero");
  EXPECT_EQ(name({"chdir", "-g", "@tmp.dir1", "/"}), "os/chdir/getcwd/on:tmp.dir1+");
  EXPECT_EQ(name({"malloc", "-s", "1", "-s", "2", "-T", "2"}), "os/malloc/size:1+2/workers:2");
  EXPECT_EQ(name({"fork", "-B", "10", "-P", "3"}), "os/fork/batch:10/processes:3");
}

}  // namespace
}  // namespace assay::os
