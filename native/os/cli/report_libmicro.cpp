#include <assay/os/cli/report_libmicro.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace assay::os {
namespace {

constexpr double ns_per_us = 1e3;
constexpr std::size_t buckets = 32;

[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...) {
  std::array<char, 512> line{};
  std::va_list values;
  va_start(values, pattern);
  std::vsnprintf(line.data(), line.size(), pattern, values);
  va_end(values);
  return line.data();
}

// libMicro shows the numbers a case was given in columns of their own.
std::string columns(const Command& command, bool names) {
  std::string text;
  for (const Option& option : command.what.options) {
    if (option.kind != Option::Kind::number) continue;
    if (!text.empty()) text += ' ';
    if (names) {
      text += format("%8s", std::string(option.name).c_str());
      continue;
    }
    std::string values;
    for (const std::int64_t value : command.setting.numbers(option.letter)) {
      values += (values.empty() ? "" : ",") + std::to_string(value);
    }
    text += format("%8s", values.c_str());
  }
  return text;
}

std::string row(const Command& command, const Statistics& all) {
  const double shown_ns = on(command.mean) ? all.mean_ns : all.typical_ns;
  return format("%-12s %3d %3d %12.5f %12zu %s\n", command.name.c_str(), command.setting.processes,
                command.setting.threads, shown_ns / ns_per_us, all.sorted_ns.size(),
                columns(command, false).c_str());
}

std::string statistics_block(const Measured& measured, const Statistics& all) {
  const auto line = [](const char* name, double ns) {
    return format("# %22s %12.5f\n", name, ns / ns_per_us);
  };
  const Launched& first = measured.launches.front();
  return "#\n" + format("# STATISTICS         %12s\n", "usecs/call") + line("min", all.min_ns) +
         line("max", all.max_ns) + line("range", all.max_ns - all.min_ns) +
         line("95%", all.p95_ns) + line("99%", all.p99_ns) + line("mean", all.mean_ns) +
         line("median", all.median_ns) + line("stddev", all.stddev_ns) +
         line("figure, from", all.low_ns) + line("figure, to", all.high_ns) + "#\n" +
         format("# %22s %12.5f\n", "elapsed time", static_cast<double>(measured.elapsed_ns) / 1e9) +
         format("# %22s %12zu\n", "number of samples", all.sorted_ns.size()) +
         format("# %22s %12zu\n", "launches", measured.launches.size()) +
         format("# %22s %12lld\n", "calls per sample", static_cast<long long>(first.calls)) +
         format("# %22s %12.0f\n", "getnsecs overhead", first.clock_cost_ns) +
         format("# %22s %12.3f\n", "loop overhead, nsecs", first.loop_ns) + "#\n";
}

std::string bar(std::size_t count, std::size_t most) {
  std::string text(32, ' ');
  const std::size_t stars =
      count == 0 || most == 0 ? 0 : std::max<std::size_t>(1, 32 * count / most);
  std::fill_n(text.begin(), std::min<std::size_t>(stars, 32), '*');
  return text;
}

struct Bucket {
  double sum{0};
  std::size_t count{0};
};

std::string bucket_line(const Bucket& bucket, const std::string& label, std::size_t most) {
  std::string line =
      format("#       %12zu %12s |", bucket.count, label.c_str()) + bar(bucket.count, most);
  if (bucket.count == 0) return line + format("%12s\n", "-");
  return line + format("%12.5f\n", bucket.sum / static_cast<double>(bucket.count) / ns_per_us);
}

// A step of one digit, so that 31 of them cover the lowest 95 %.
double step_for(double range) {
  if (!(range > 0)) return 1e-3;
  const double raw = range / static_cast<double>(buckets - 1);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  return std::ceil(raw / power) * power;
}

}  // namespace

std::string libmicro_histogram(const Statistics& all) {
  const std::vector<double>& sorted = all.sorted_ns;
  const std::size_t below = std::max<std::size_t>(sorted.size() * 95 / 100, 1);
  const double step = step_for(sorted[below - 1] - sorted.front());
  const double start = std::floor(sorted.front() / step) * step;
  std::array<Bucket, buckets + 1> filled{};
  Bucket body;
  Bucket tail;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    Bucket& part = i < below ? body : tail;
    part.sum += sorted[i];
    ++part.count;
    if (i >= below) continue;
    Bucket& bucket =
        filled.at(std::min(buckets, static_cast<std::size_t>((sorted[i] - start) / step)));
    bucket.sum += sorted[i];
    ++bucket.count;
  }
  std::size_t most = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < filled.size(); ++i) {
    if (filled.at(i).count > 0) last = i;
    most = std::max(most, filled.at(i).count);
  }
  std::string text =
      "# DISTRIBUTION\n" + format("#\t%12s %12s %32s %12s\n", "counts", "usecs/call", "", "means");
  for (std::size_t i = 0; i <= last; ++i) {
    const double from_ns = start + static_cast<double>(i) * step;
    text += bucket_line(filled.at(i), format("%12.5f", from_ns / ns_per_us), most);
  }
  return text + "#\n" + bucket_line(tail, "> 95%", most) + "#\n" +
         format("#       %12s %12.5f\n", "mean of 95%",
                body.sum / static_cast<double>(body.count) / ns_per_us) +
         format("#       %12s %12.5f\n", "95th %ile", all.p95_ns / ns_per_us);
}

std::string libmicro_report(const Command& command, const Measured& measured,
                            const Statistics& all) {
  std::string text;
  if (on(command.show_arguments)) text += "# assay os " + shown_words(command) + " \n";
  if (!on(command.no_header)) {
    text += format("%12s %3s %3s %12s %12s %s\n", "", "prc", "thr", "usecs/call", "samples",
                   columns(command, true).c_str());
  }
  if (measured.trouble) {
    const bool lacking = is_host_lacking(*measured.trouble);
    return text + command.name + (lacking ? " SKIPPED " : " ERROR ") + measured.trouble->line() +
           "\n";
  }
  text += row(command, all);
  if (on(command.statistics)) text += statistics_block(measured, all) + libmicro_histogram(all);
  return text;
}

}  // namespace assay::os
