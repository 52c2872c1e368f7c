#include <assay/record/host_facts.hpp>

#include <assay/system/cpu_set.hpp>
#include <assay/system/text_file.hpp>

#include <charconv>
#include <fstream>
#include <string_view>

namespace assay {
namespace {

using Text = std::optional<std::string>;
using std::filesystem::path;

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\"");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\"") - first + 1));
}

/// The value after `key` and `separator` in the file's first line that begins with the key.
Text field(const path& file, std::string_view key, char separator) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const auto at = line.find(separator);
    if (at != std::string::npos && trimmed(line.substr(0, at)) == key) {
      return trimmed(std::string_view(line).substr(at + 1));
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> to_number(const Text& text) {
  std::int64_t number = 0;
  if (!text ||
      std::from_chars(text->data(), text->data() + text->size(), number).ec != std::errc{}) {
    return std::nullopt;
  }
  return number;
}

std::optional<bool> is_not_zero(const Text& text) {
  const auto number = to_number(text);
  if (!number) return std::nullopt;
  return *number != 0;
}

std::optional<std::int64_t> memory_bytes(const path& root) {
  const auto kilobytes = to_number(field(root / "proc/meminfo", "MemTotal", ':'));
  if (!kilobytes) return std::nullopt;
  return *kilobytes * 1024;
}

std::optional<std::int64_t> count_cpus(const Text& list) {
  const auto cpus = CpuSet::parse(list.value_or(""));
  if (!cpus || cpus->count() == 0) return std::nullopt;
  return cpus->count();
}

Text cpu_model(const path& root) {
  const path cpuinfo = root / "proc/cpuinfo";
  for (const char* const key : {"model name", "cpu model", "cpu", "Model"}) {
    if (Text model = field(cpuinfo, key, ':')) return model;
  }
  return std::nullopt;
}

/// The CPU's hypervisor flag says whether this is a virtual machine, the firmware's names which.
Text virtualisation(const path& root) {
  const Text flags = field(root / "proc/cpuinfo", "flags", ':');
  const Text product = first_line(root / "sys/class/dmi/id/product_name");
  const Text vendor = first_line(root / "sys/class/dmi/id/sys_vendor");
  if (flags && (*flags + " ").find(" hypervisor ") == std::string::npos) return "none";
  if (!flags && !vendor) return std::nullopt;
  const std::string names = trimmed(vendor.value_or("") + " " + product.value_or(""));
  if (!flags) return names;  // not x86: the reader has to judge by the names
  return names.empty() ? "virtual machine" : "virtual machine: " + names;
}

template <class Fact>
void must_have(HostFacts& host, const Fact& fact, const char* why) {
  if (!fact) host.unavailable.emplace_back(why);
}

void note_what_is_missing(HostFacts& host) {
  must_have(host, host.os, "os: no etc/os-release");
  must_have(host, host.kernel, "kernel: no proc/sys/kernel/osrelease");
  must_have(host, host.cpu_model, "cpu_model: proc/cpuinfo names none");
  must_have(host, host.cpus, "cpus: no sys/devices/system/cpu/online");
  must_have(host, host.memory_bytes, "memory_bytes: no MemTotal in proc/meminfo");
  must_have(host, host.virtualisation, "virtualisation: neither CPU flags nor firmware names");
  must_have(host, host.governor, "governor: no cpufreq (a virtual machine, or fixed frequency)");
  must_have(host, host.smt, "smt: no sys/devices/system/cpu/smt");
  must_have(host, host.aslr, "aslr: no proc/sys/kernel/randomize_va_space");
  must_have(host, host.clock_source, "clock_source: no sys/devices/system/clocksource");
}

}  // namespace

HostFacts read_host_facts(const path& root) {
  const path cpu = root / "sys/devices/system/cpu";
  HostFacts host;
  host.os = field(root / "etc/os-release", "PRETTY_NAME", '=');
  host.kernel = first_line(root / "proc/sys/kernel/osrelease");
  host.cpu_model = cpu_model(root);
  host.cpus = count_cpus(first_line(cpu / "online"));
  host.memory_bytes = memory_bytes(root);
  host.virtualisation = virtualisation(root);
  host.governor = first_line(cpu / "cpu0/cpufreq/scaling_governor");
  host.smt = is_not_zero(first_line(cpu / "smt/active"));
  host.aslr = is_not_zero(first_line(root / "proc/sys/kernel/randomize_va_space"));
  host.clock_source =
      first_line(root / "sys/devices/system/clocksource/clocksource0/current_clocksource");
  note_what_is_missing(host);
  return host;
}

}  // namespace assay
