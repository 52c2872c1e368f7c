#include <assay/os/cli/libmicro_facts.hpp>

#include <assay/record/build_facts.hpp>

#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <fstream>

namespace assay::os {
namespace {

// The value in the first line of /proc/cpuinfo that begins with this key; "unknown" if there is
// none.
std::string cpu_fact(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with(key) || colon == std::string::npos) continue;
    return colon + 2 <= line.size() ? line.substr(colon + 2) : "";
  }
  return "unknown";
}

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  std::array<char, 40> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts);
  return text.data();
}

// One line with libMicro's widths: 14 characters of key, 50 of value.
std::string line(std::string key, const std::string& value) {
  key.resize(14, ' ');
  return "!" + key + "\t" + value.substr(0, 50) + "\n";
}

}  // namespace

std::string libmicro_facts() {
  utsname host{};
  uname(&host);
  const char* const user = getenv("LOGNAME");
  const BuildFacts build = ASSAY_BUILD_FACTS;
  return line("Version", "assay " ASSAY_VERSION) + line("Options", "-C 200 -L -S") +
         line("Hostname", host.nodename) + line("OS", host.sysname) +
         line("OS Release", host.release) + line("OS Build", host.version) +
         line("Processor", host.machine) +
         line("Num CPUs", std::to_string(sysconf(_SC_NPROCESSORS_ONLN))) +
         line("CPU MHz", cpu_fact("cpu MHz")) + line("CPU Name", cpu_fact("model name")) +
         line("User", user == nullptr ? "" : user) + line("Date", date_now()) +
         line("Compiler", build.compiler) + line("Compiler Ver.", build.compiler_version) +
         line("sizeof (long)", std::to_string(sizeof(long)));
}

}  // namespace assay::os
