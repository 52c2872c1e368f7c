#include <assay/index/options/command_line.hpp>

#include <assay/index/options/option_names.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>

namespace assay::index {
namespace {

template <class T>
using Names = std::map<std::string, T>;

struct Preset {
  PerOperation<double> ratios;
  Distribution distribution;
  Spread scan_lengths{Spread::fixed};
};

/// The core workloads of YCSB (Cooper et al., 2010); ratios are in the order of all_operations.
const Names<Preset>& presets() {
  static const Names<Preset> names{
      {"ycsb-a", {{{0.5, 0, 0.5, 0, 0, 0}}, Distribution::zipfian}},
      {"ycsb-b", {{{0.95, 0, 0.05, 0, 0, 0}}, Distribution::zipfian}},
      {"ycsb-c", {{{1, 0, 0, 0, 0, 0}}, Distribution::zipfian}},
      {"ycsb-d", {{{0.95, 0.05, 0, 0, 0, 0}}, Distribution::latest}},
      {"ycsb-e", {{{0, 0.05, 0, 0, 0.95, 0}}, Distribution::zipfian, Spread::uniform}},
      {"ycsb-f", {{{0.5, 0, 0, 0, 0, 0.5}}, Distribution::zipfian}}};
  return names;
}

/// The options that the command line gave, before defaults that depend on other options are filled
/// in.
struct GivenOptions {
  Options options{};
  PerOperation<std::optional<double>> ratios{};
  std::optional<Distribution> distribution{};
  std::optional<double> skew{};
  std::optional<std::uint64_t> records{};
  std::optional<double> latency_sampling{};
  std::optional<Spread> scan_lengths{};
};

class Parser {
 public:
  Parser() { add_all(); }

  Result<CommandLine> parse(std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 reads a vector from its end
    try {
      app_.parse(arguments);
    } catch (const CLI::CallForHelp&) {
      return CommandLine{.options = {}, .help = app_.help()};
    } catch (const CLI::ParseError& error) {
      return Error{error.what(), "", "try --help"};
    }
    return complete();
  }

 private:
  void add_all() {
    app_.get_formatter()->column_width(38);
    app_.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    add_target();
    add_work();
    add_keys();
    add_run();
    add_outputs();
  }

  /// Adds an option that takes one of several names. CLI11's own transformer is not used, because
  /// its help shows the numbers behind the names.
  template <class T, class Value>
  void add_choice(const std::string& flags, T& into, std::initializer_list<Value> values,
                  const std::string& what) {
    Names<Value> names;
    for (const Value value : values) names.emplace(name_of(value), value);
    std::string list;
    for (const auto& [name, value] : names) list += (list.empty() ? "" : "|") + name;
    const auto choose = [&into, names, list](const std::string& text) {
      const auto found = names.find(CLI::detail::to_lower(text));
      if (found == names.end()) {
        throw CLI::ValidationError("'" + text + "' is none of " + list);
      }
      into = found->second;
    };
    app_.add_option_function<std::string>(flags, choose, what)->type_name(list);
  }

  void add_target() {
    auto& options = given_.options;
    app_.add_option("input,--input", options.plugin,
                    "Plug-in: a shared library, or the name of one that was built (stlmap)")
        ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
    app_.add_option("-n,--records", given_.records, "Records to load [1000000]")
        ->check(CLI::NonNegativeNumber);
    app_.add_option("-t,--threads", options.threads, "Threads")->capture_default_str();
    app_.add_option("--pool_path", options.pool.path, "Where a persistent structure lives");
    app_.add_option("--pool_size", options.pool.size_bytes, "Its size in bytes")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app_.add_flag("--skip_load", options.skip_load, "The records are in the pool already");
  }

  void add_work() {
    auto& options = given_.options;
    app_.add_option("-p,--operations", options.operations, "Operations to run, of all threads")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    add_choice("-m,--mode", options.mode, {Mode::operation, Mode::time},
               "What ends the run: a number of operations, or time");
    app_.add_option("--seconds", options.seconds, "How long a run in time mode lasts")
        ->capture_default_str();
    static constexpr std::array<const char*, operation_count> flags{
        "-r,--read_ratio",   "-i,--insert_ratio", "-u,--update_ratio",
        "-d,--remove_ratio", "-s,--scan_ratio",   "--rmw_ratio"};
    for (const Operation kind : all_operations) {
      app_.add_option(flags[static_cast<std::size_t>(kind)], given_.ratios[kind],
                      "Share of " + std::string(name_of(kind)) + " operations");
    }
    app_.add_option("--workload", options.workload,
                    "Preset: ycsb-a, -b, -c, -d, -e or -f, instead of ratios");
    app_.add_option("--scan_size", options.scans.size, "Records a scan asks for")
        ->capture_default_str();
    add_choice("--scan_lengths", given_.scan_lengths, {Spread::fixed, Spread::uniform},
               "Every scan of scan_size, or uniform in 1 .. scan_size");
    app_.add_option("--rate", options.open_loop.rate,
                    "Open loop: operations begun a second, of all threads; latency counts from "
                    "when one was to begin");
    add_choice("--arrivals", options.open_loop.arrival, {Arrival::fixed, Arrival::poisson},
               "In an open loop: evenly spaced, or independent of each other");
  }

  void add_keys() {
    auto& options = given_.options;
    app_.add_option("-f,--key_prefix", options.key.prefix, "Begins every key");
    app_.add_option("-k,--key_size", options.key.size, "Bytes of a key, without the prefix")
        ->capture_default_str();
    add_choice("--key_order", options.key.order, {KeyOrder::hashed, KeyOrder::ordered},
               "Keys scattered, or in the order of insertion (byte order)");
    app_.add_option("--key_file", options.key.file, "Keys from a file, one a line");
    add_choice("--distribution", given_.distribution,
               {Distribution::uniform, Distribution::zipfian, Distribution::self_similar,
                Distribution::latest, Distribution::hotspot, Distribution::sequential},
               "Which record an operation takes");
    app_.add_option("--skew", given_.skew,
                    "zipfian, latest: exponent, 0 to 5 [0.99]; selfsimilar: 0 to 0.5 [0.2]; "
                    "hotspot: hot share of the records [0.2]");
    app_.add_option("--hot_share", options.access.hot_share,
                    "hotspot: share of operations on hot records")
        ->capture_default_str();
    app_.add_option("-v,--value_size", options.value.size, "Bytes of a value, or of the largest")
        ->capture_default_str();
    add_choice("--value_sizes", options.value.spread,
               {Spread::fixed, Spread::uniform, Spread::zipfian},
               "All of value_size, or from value_size_min to it: evenly, or mostly small");
    app_.add_option("--value_size_min", options.value.smallest, "Bytes of the smallest value")
        ->capture_default_str();
  }

  void add_run() {
    auto& options = given_.options;
    app_.add_option("--seed", options.seed, "Of everything random")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app_.add_option("--sampling_ms", options.sampling_ms, "Throughput is sampled this often")
        ->capture_default_str();
    app_.add_option("--latency_sampling", given_.latency_sampling,
                    "Share of operations whose latency is taken [0; 1 with --rate]");
    app_.add_flag("--pcm", options.pcm, "Hardware counters, where the host has them [true]");
    app_.add_flag("--verify", options.verify,
                  "Check every result, and at the end that the structure holds what it should");
    app_.add_flag("--check_scans", options.scans.checked,
                  "Look at one of 64 scans for order, without --verify [true]");
    app_.add_option("--timeout", options.timeout_s,
                    "Seconds without progress after which the plug-in is taken to hang")
        ->capture_default_str();
  }

  void add_outputs() {
    Outputs& outputs = given_.options.outputs;
    app_.add_option("--json", outputs.json, "Results as JSON into a file; - is standard output");
    app_.add_option("--hdr_log", outputs.hdr_log, "Latencies into PREFIX.hlog")
        ->option_text("PREFIX");
    add_choice(
        "--report", outputs.report,
        {Report::assay, Report::pibench, Report::pibench_v1, Report::none},
        "Text on standard output: ours, PiBench's, its first version's, or none [assay; none "
        "with --json -]");
    app_.add_option("--label", outputs.label, "Begins the names of rows [the plug-in's name]");
  }

  Result<CommandLine> complete() {
    Options options = given_.options;
    options.scans.spread = given_.scan_lengths.value_or(Spread::fixed);
    Distribution distribution = Distribution::uniform;
    if (options.workload.empty()) {
      take_ratios(options);
    } else {
      const auto preset = presets().find(options.workload);
      if (preset == presets().end()) {
        return Error{"no workload '" + options.workload + "'", "--workload", "ycsb-a to ycsb-f"};
      }
      if (has_given_ratios()) {
        return Error{"a workload has its own ratios", "--workload", "leave one of them out"};
      }
      options.ratios = preset->second.ratios;
      options.scans.spread = given_.scan_lengths.value_or(preset->second.scan_lengths);
      distribution = preset->second.distribution;
    }
    options.access.distribution = given_.distribution.value_or(distribution);
    options.access.skew = given_.skew.value_or(usual_skew(options.access.distribution));
    options.latency_sampling =
        given_.latency_sampling.value_or(options.open_loop.rate > 0 ? 1.0 : 0.0);
    options.records = given_.records.value_or(options.key.file.empty() ? options.records : 0);
    if (options.outputs.json == "-" && app_.count("--report") == 0) {
      options.outputs.report = Report::none;
    }
    auto whole = checked_options(std::move(options));
    if (!whole) return whole.error();
    return CommandLine{.options = *whole, .help = std::nullopt};
  }

  /// Sets the ratios: as in PiBench, the ratio of reads is 1 unless it was given, and the others
  /// are 0.
  void take_ratios(Options& options) const {
    for (const Operation kind : all_operations) {
      options.ratios[kind] = given_.ratios[kind].value_or(kind == Operation::read ? 1 : 0);
    }
  }

  [[nodiscard]] bool has_given_ratios() const {
    return std::any_of(given_.ratios.values.begin(), given_.ratios.values.end(),
                       [](const auto& ratio) { return ratio.has_value(); });
  }

  static double usual_skew(Distribution distribution) {
    const bool is_power =
        distribution == Distribution::zipfian || distribution == Distribution::latest;
    return is_power ? 0.99 : 0.2;
  }

  CLI::App app_{"assay-index: drives an index behind a plug-in, and reports what it did.",
                "assay-index"};
  GivenOptions given_{};
};

/// Joins "--pcm false" to "--pcm=false". Otherwise a flag would take the plug-in's path for its
/// value.
std::vector<std::string> with_joined_flags(std::vector<std::string> arguments) {
  static constexpr std::array<std::string_view, 4> flags{"--pcm", "--skip_load", "--verify",
                                                         "--check_scans"};
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    const std::string& next = arguments[i + 1];
    if (std::find(flags.begin(), flags.end(), arguments[i]) == flags.end()) continue;
    if (next != "true" && next != "false") continue;
    arguments[i] += "=" + next;
    arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return arguments;
}

}  // namespace

Result<CommandLine> parse_command_line(std::vector<std::string> arguments) {
  return Parser().parse(with_joined_flags(std::move(arguments)));
}

}  // namespace assay::index
