#include <assay/measure/launch/launch_report.hpp>

#include <sys/wait.h>

#include <string_view>

namespace assay {
namespace {

// Written by hand: a JSON library would double this program's resident size,
// which every measured process inherits as its smallest possible peak.

void add(std::string& json, std::string_view key, const std::string& value) {
  json += json.size() > 1 ? ",\"" : "\"";
  json += key;
  json += "\":";
  json += value;
}

std::string text_of(const std::optional<int>& number) {
  return number ? std::to_string(*number) : "null";
}

std::string nanoseconds(const timeval& time) {
  return std::to_string(std::int64_t{time.tv_sec} * 1'000'000'000 +
                        std::int64_t{time.tv_usec} * 1'000);
}

std::string quoted(std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string json = "\"";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      json += '\\';
      json += letter;
    } else if (byte < 0x20) {
      json += "\\u00";
      json += hex[byte >> 4U];
      json += hex[byte & 0xFU];
    } else {
      json += letter;
    }
  }
  return json + "\"";
}

}  // namespace

LaunchReport make_launch_report(std::int64_t wall_ns, int wait_status, const rusage& usage) {
  LaunchReport report{.wall_ns = wall_ns, .usage = usage};
  if (WIFSIGNALED(wait_status)) {
    report.signal = WTERMSIG(wait_status);
  } else {
    report.exit = WEXITSTATUS(wait_status);
  }
  return report;
}

std::string to_json(const LaunchReport& report) {
  const rusage& usage = report.usage;
  std::string json = "{";
  add(json, "wall_ns", std::to_string(report.wall_ns));
  add(json, "user_ns", nanoseconds(usage.ru_utime));
  add(json, "system_ns", nanoseconds(usage.ru_stime));
  add(json, "max_rss_bytes", std::to_string(std::int64_t{usage.ru_maxrss} * 1024));
  add(json, "minor_faults", std::to_string(usage.ru_minflt));
  add(json, "major_faults", std::to_string(usage.ru_majflt));
  add(json, "voluntary_switches", std::to_string(usage.ru_nvcsw));
  add(json, "involuntary_switches", std::to_string(usage.ru_nivcsw));
  if (report.left_behind > 0) add(json, "left_behind", std::to_string(report.left_behind));
  add(json, "exit", text_of(report.exit));
  add(json, "signal", text_of(report.signal));
  return json + "}\n";
}

std::string to_json(const Error& error) {
  std::string json = "{";
  add(json, "error", quoted(error.line()));
  add(json, "errno", std::to_string(error.errno_value));
  return json + "}\n";
}

}  // namespace assay
