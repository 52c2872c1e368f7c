#include <assay/record/host_facts.hpp>

#include <assay/testing/temporary_folder.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace assay {
namespace {

bool says(const HostFacts& host, const std::string& start) {
  return std::any_of(host.unavailable.begin(), host.unavailable.end(),
                     [&start](const std::string& line) { return line.rfind(start, 0) == 0; });
}

TEST(HostFacts, OfAServer) {
  const TemporaryFolder root;
  root.write("etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n");
  root.write("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  root.write("proc/sys/kernel/randomize_va_space", "2\n");
  root.write("proc/cpuinfo",
             "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) CPU\nflags\t\t: fpu vme sse2\n");
  root.write("proc/meminfo", "MemTotal:       65536 kB\nMemFree: 1 kB\n");
  root.write("sys/devices/system/cpu/online", "0-3,8-11\n");
  root.write("sys/devices/system/cpu/smt/active", "1\n");
  root.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  root.write("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
  const HostFacts host = read_host_facts(root.path());
  EXPECT_EQ(host.os, "Debian GNU/Linux 12");
  EXPECT_EQ(host.kernel, "6.1.0-18-amd64");
  EXPECT_EQ(host.cpu_model, "Intel(R) Xeon(R) CPU");
  EXPECT_EQ(host.cpus, 8);
  EXPECT_EQ(host.memory_bytes, std::int64_t{65536} * 1024);
  EXPECT_EQ(host.virtualisation, "none");
  EXPECT_EQ(host.governor, "powersave");
  EXPECT_EQ(host.smt, true);
  EXPECT_EQ(host.aslr, true);
  EXPECT_EQ(host.clock_source, "tsc");
  EXPECT_TRUE(host.unavailable.empty());
}

TEST(HostFacts, OfAVirtualMachineNamesItsMaker) {
  const TemporaryFolder root;
  root.write("proc/cpuinfo", "flags : fpu hypervisor lahf_lm\n");
  root.write("sys/class/dmi/id/sys_vendor", "QEMU\n");
  root.write("sys/class/dmi/id/product_name", "Standard PC\n");
  const HostFacts host = read_host_facts(root.path());
  EXPECT_EQ(host.virtualisation, "virtual machine: QEMU Standard PC");
  EXPECT_FALSE(host.governor);
  EXPECT_TRUE(says(host, "governor: "));
}

TEST(HostFacts, TheHypervisorFlagMayComeLast) {
  const TemporaryFolder root;
  root.write("proc/cpuinfo", "flags : fpu hypervisor\n");
  EXPECT_EQ(read_host_facts(root.path()).virtualisation, "virtual machine");
}

TEST(HostFacts, OfAnEmptyRootAreAllUnavailableWithAReason) {
  const TemporaryFolder root;
  const HostFacts host = read_host_facts(root.path());
  EXPECT_EQ(host.unavailable.size(), 10U);
  EXPECT_FALSE(host.os);
  EXPECT_FALSE(host.cpus);
  EXPECT_FALSE(host.aslr);
  for (const std::string& line : host.unavailable) {
    EXPECT_NE(line.find(": "), std::string::npos) << line;
  }
}

TEST(HostFacts, RubbishIsUnavailableRatherThanWrong) {
  const TemporaryFolder root;
  root.write("proc/meminfo", "MemTotal: many kB\n");
  root.write("sys/devices/system/cpu/online", "zero\n");
  root.write("sys/devices/system/cpu/smt/active", "\n");
  const HostFacts host = read_host_facts(root.path());
  EXPECT_FALSE(host.memory_bytes);
  EXPECT_FALSE(host.cpus);
  EXPECT_FALSE(host.smt);
}

TEST(HostFacts, OfThisHost) {
  const HostFacts host = read_host_facts();
  EXPECT_TRUE(host.kernel);
  EXPECT_GE(host.cpus.value_or(0), 1);
}

}  // namespace
}  // namespace assay
