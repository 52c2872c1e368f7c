// What counting allocations adds to a malloc/free pair. Each side is a program of its own
// beside this one; they are run in rounds, in random order, so that drift hits all alike.
//
//   allocation_cost [ROUNDS] [--gate]      with --gate, exit 1 when a promise is broken
#include <assay/base/random.hpp>
#include <assay/base/result.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Side {
  const char* name;
  const char* command;               // the number of threads follows
  std::optional<double> promise_ns;  // most it may add to a plain pair
  bool is_preloaded{false};
};

constexpr std::array<Side, 11> sides{{
    {"plain", "pair_plain", std::nullopt},
    {"plain again", "pair_plain", std::nullopt},
    {"hooks idle", "pair_hooked idle", 1.5},
    {"counting", "pair_hooked counting", 4.0},
    {"counting and peak", "pair_hooked peak", std::nullopt},
    {"preloaded", "pair_plain", 4.0, true},
    {"preloaded and peak", "pair_plain", std::nullopt, true},
    {"map of 18", "pair_map_hook 9", std::nullopt},
    {"map of 1,000", "pair_map_hook 991", std::nullopt},
    {"map of 10,000", "pair_map_hook 9991", std::nullopt},
    {"map of 100,000", "pair_map_hook 99991", std::nullopt},
}};
constexpr std::size_t plain = 0;
// The hook as Stumpless's benchmarks have it looks up every address there ever was, and so costs
// what the program makes of it. 18 is all that its own copying of elements knows: 5 ns a pair,
// of which nothing that counts can take a thirtieth. The promise is of a program with a heap.
constexpr std::size_t first_map = 7;
constexpr std::size_t promised_map = 10;
constexpr double times_cheaper = 30;  // than that map: promised of counting
constexpr std::size_t most_threads = 2;

/// Of each number of threads, from 1, and each side: a time in each round.
using Samples = std::array<std::array<std::vector<double>, sides.size()>, most_threads>;

struct Options {
  std::size_t rounds{30};
  bool gate{false};
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--gate") {
      options.gate = true;
    } else {
      options.rounds = std::max<std::size_t>(3, std::strtoul(argv[i], nullptr, 10));
    }
  }
  return options;
}

assay::Result<double> run(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  double pair_ns = 0;
  const bool is_read = pipe != nullptr && std::fscanf(pipe, "%lf", &pair_ns) == 1;
  const bool has_ended_well = pipe != nullptr && pclose(pipe) == 0;
  if (is_read && has_ended_well) return pair_ns;
  return assay::Error{"gave no time", command, "is it built, and beside this program?"};
}

struct Run {
  std::size_t threads;
  std::size_t side;
};

/// All there is to run in a round, in a random order.
std::vector<Run> shuffled(assay::Random& random) {
  std::vector<Run> order;
  for (std::size_t threads = 1; threads <= most_threads; ++threads) {
    for (std::size_t side = 0; side < sides.size(); ++side) order.push_back({threads, side});
  }
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

std::string command_of(const std::string& folder, const Run& run) {
  const Side& side = sides.at(run.side);
  std::string command = folder + "/" + side.command + " " + std::to_string(run.threads);
  if (!side.is_preloaded) return command;
  const bool has_peak = std::string_view(side.name).find("peak") != std::string_view::npos;
  return "ASSAY_ALLOCATIONS_FILE=/dev/null ASSAY_ALLOCATIONS_PEAK=" +
         std::string(has_peak ? "on" : "off") + " LD_PRELOAD=" + ASSAY_PRELOAD + " " + command;
}

assay::Result<Samples> measure(const std::string& folder, std::size_t rounds) {
  assay::Random random(1729);
  Samples samples;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const Run& one : shuffled(random)) {
      const auto pair_ns = run(command_of(folder, one));
      if (!pair_ns) return pair_ns.error();
      samples.at(one.threads - 1).at(one.side).push_back(*pair_ns);
    }
  }
  return samples;
}

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const std::size_t middle = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2;
}

double median_deviation(const std::vector<double>& numbers) {
  const double centre = median(numbers);
  std::vector<double> deviations;
  deviations.reserve(numbers.size());
  for (const double number : numbers) deviations.push_back(std::abs(number - centre));
  return median(deviations);
}

using Sides = Samples::value_type;  // of one number of threads

/// What a side adds, round by round: drift between rounds cancels.
std::vector<double> added(const Sides& samples, std::size_t side) {
  std::vector<double> differences;
  for (std::size_t round = 0; round < samples[plain].size(); ++round) {
    differences.push_back(samples.at(side)[round] - samples[plain][round]);
  }
  return differences;
}

/// One line of the table. Returns whether the promise is kept.
bool print_side(const Sides& samples, std::size_t side) {
  const std::vector<double>& times = samples.at(side);
  const std::vector<double> extra = added(samples, side);
  const double extra_ns = median(extra);
  const std::optional<double> promise = sides.at(side).promise_ns;
  const bool kept = !promise || extra_ns <= *promise;
  std::printf("%-18s %8.2f ns  +-%5.2f   added %+8.2f ns +-%5.2f   x%6.2f", sides.at(side).name,
              median(times), median_deviation(times), extra_ns, median_deviation(extra),
              median(times) / median(samples[plain]));
  if (promise) std::printf("   promised <= %.1f ns: %s", *promise, kept ? "kept" : "BROKEN");
  std::printf("\n");
  return kept;
}

/// How much less a way of counting adds than each std::map. Whether that is enough.
bool print_ratios(const Sides& samples, std::size_t side) {
  const double own = std::max(median(added(samples, side)), 0.01);
  bool kept = true;
  for (std::size_t map = first_map; map < sides.size(); ++map) {
    const double times = median(added(samples, map)) / own;
    std::printf("%-18s adds %4.0f times less than a %-18s", sides.at(side).name, times,
                sides.at(map).name);
    if (map == promised_map) {
      std::printf("   promised >= %.0f: %s", times_cheaper,
                  times >= times_cheaper ? "kept" : "BROKEN");
      kept = kept && times >= times_cheaper;
    }
    std::printf("\n");
  }
  return kept;
}

bool is_counting(std::size_t side) {
  const std::string_view name = sides.at(side).name;
  return name == "hooks idle" || name == "counting" || name == "preloaded";
}

bool print_threads(const Sides& samples, std::size_t threads) {
  bool all_kept = true;
  std::printf("%zu thread(s)\n", threads);
  for (std::size_t side = 0; side < sides.size(); ++side) {
    all_kept = print_side(samples, side) && all_kept;
  }
  for (std::size_t side = 0; side < sides.size(); ++side) {
    if (is_counting(side)) all_kept = print_ratios(samples, side) && all_kept;
  }
  return all_kept;
}

bool print(const Samples& samples) {
  std::printf(
      "A malloc/free pair, nine blocks alive at once as in a copy of an element; medians of %zu "
      "interleaved rounds, +- median deviation\n",
      samples[0][plain].size());
  bool all_kept = true;
  for (std::size_t threads = 1; threads <= most_threads; ++threads) {
    all_kept = print_threads(samples.at(threads - 1), threads) && all_kept;
  }
  return all_kept;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
  const auto samples = measure(folder, options.rounds);
  if (!samples) {
    std::fprintf(stderr, "allocation_cost: %s\n", samples.error().line().c_str());
    return 3;
  }
  return print(*samples) || !options.gate ? 0 : 1;
}
