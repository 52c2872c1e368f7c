#include <assay/index/options/command_line.hpp>

#include <assay/system/file_descriptor.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <system_error>

namespace assay::index {
namespace {

namespace fs = std::filesystem;

constexpr double ratio_tolerance = 1e-6;
constexpr std::uint32_t longest_key = 1024;
constexpr std::uint32_t longest_value = 1U << 20U;
constexpr std::uint32_t longest_scan = 1'000'000;
constexpr std::uint32_t most_threads = 1024;

/// A number without trailing zeros, as a user would write it.
std::string text_of(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (!text.empty() && text.back() == '.') text.pop_back();
  return text;
}

Status check_range(const char* flag, double value, double low, double high) {
  if (value >= low && value <= high) return {};
  return Error{text_of(value) + " is not in " + text_of(low) + " .. " + text_of(high), flag};
}

Status check_ratios(const Options& options) {
  double sum = 0;
  for (const Operation kind : all_operations) {
    const std::string name(name_of(kind));
    if (Status done = check_range((name + " ratio").c_str(), options.ratios[kind], 0, 1); !done)
      return done;
    sum += options.ratios[kind];
  }
  if (std::abs(sum - 1) <= ratio_tolerance) return {};
  return Error{"the ratios sum to " + text_of(sum) + ", not to 1", "ratios",
               "-r is 1 unless you say otherwise: give -r 0 for a mix without reads"};
}

Status check_sizes(const Options& options) {
  const ValueOptions& value = options.value;
  const auto keys = static_cast<double>(options.key_bytes());
  if (Status done = check_range("key size with its prefix", keys, 1, longest_key); !done)
    return done;
  if (Status done = check_range("--key_size", options.key.size, 1, longest_key); !done) return done;
  if (Status done = check_range("--value_size", value.size, 1, longest_value); !done) return done;
  if (Status done = check_range("--scan_size", options.scans.size, 1, longest_scan); !done)
    return done;
  if (value.spread == Spread::fixed) return {};
  return check_range("--value_size_min", value.smallest, 1, value.size);
}

Status check_run(const Options& options) {
  if (Status done = check_range("--threads", options.threads, 1, most_threads); !done) return done;
  if (Status done = check_range("--sampling_ms", options.sampling_ms, 1, 3.6e6); !done) return done;
  if (Status done = check_range("--latency_sampling", options.latency_sampling, 0, 1); !done)
    return done;
  if (Status done = check_range("--seconds", options.seconds, 1e-3, 1e7); !done) return done;
  if (Status done = check_range("--timeout", options.timeout_s, 1e-3, 1e7); !done) return done;
  if (Status done = check_range("--hot_share", options.access.hot_share, 0, 1); !done) return done;
  return check_range("--rate", options.open_loop.rate, 0, 1e9);
}

Status check_access(const Options& options) {
  const Access& access = options.access;
  const bool only_inserts = options.ratios[Operation::insert] == 1;
  if (options.records == 0 && !only_inserts && options.key.file.empty()) {
    return Error{"no records to operate on", "--records", "load some, or insert only (-r 0 -i 1)"};
  }
  switch (access.distribution) {
    case Distribution::zipfian:
    case Distribution::latest:
      return check_range("--skew", access.skew, 0, 5);
    case Distribution::self_similar:
      return check_range("--skew", access.skew, 0, 0.5);
    case Distribution::hotspot:
      return check_range("--skew", access.skew, 0, 1);
    default:
      return {};
  }
}

/// Checks that generated keys are long enough for each record to have its own. In time mode the
/// number of records is not known beforehand; there the workers stop when no keys are left.
Status check_key_space(const Options& options) {
  if (!options.key.file.empty() || options.key.size >= 8) return {};
  const double keys = std::ldexp(1, static_cast<int>(8 * options.key.size));
  const double inserts = options.mode == Mode::operation ? static_cast<double>(options.operations) *
                                                               options.ratios[Operation::insert]
                                                         : 0;
  const double needed = static_cast<double>(options.records) + inserts;
  if (needed <= keys) return {};
  return Error{"keys of " + std::to_string(options.key.size) +
                   " bytes are too few: " + text_of(keys) + " for " + text_of(std::ceil(needed)) +
                   " records loaded and inserted",
               "--key_size", "make keys longer"};
}

/// The errno of opening `path` for writing, or of making a file in it if it is a folder; 0 if that
/// works. It is tried, because root passes every check of permissions, even where the file system
/// is read-only.
int writing_error(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_directory(path, failed)) {
    const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    return file ? 0 : errno;
  }
  std::string name = (path / ".assay-XXXXXX").string();
  const FileDescriptor file(mkstemp(name.data()));
  if (!file) return errno;
  unlink(name.c_str());
  return 0;
}

Status check_pool(const Options& options) {
  const fs::path path = options.pool.path;
  if (path.empty()) return {};
  std::error_code failed;
  if (options.skip_load && !fs::exists(path, failed)) {
    return Error{"there is no pool to take the records from", path.string(),
                 "load one first, without --skip_load"};
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const fs::path written = fs::exists(path, failed) ? path : folder;
  if (const int code = writing_error(written); code != 0) {
    return Error{std::string("cannot be written: ") + std::strerror(code), written.string(),
                 "give another --pool_path", code};
  }
  if (fs::exists(path, failed)) return {};
  const auto space = fs::space(folder, failed);
  if (failed || options.pool.size_bytes <= space.available) return {};
  return Error{"the disk has room for " + std::to_string(space.available) + " bytes, a pool of " +
                   std::to_string(options.pool.size_bytes) + " was asked for",
               folder.string(), "give a smaller --pool_size"};
}

}  // namespace

Result<Options> checked_options(Options options) {
  if (options.plugin.empty()) {
    return Error{"no plug-in named", "", "give a shared library or a name, such as stlmap"};
  }
  for (const auto check :
       {check_ratios, check_sizes, check_run, check_access, check_key_space, check_pool}) {
    if (const Status done = check(options); !done) return done.error();
  }
  return options;
}

}  // namespace assay::index
