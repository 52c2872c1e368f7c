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
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Side {
  const char* name;
  const char* command;
  std::optional<double> promise_ns;  // most it may add to a plain pair
};

constexpr std::array<Side, 6> sides{{{"plain", "pair_plain", std::nullopt},
                                     {"plain again", "pair_plain", std::nullopt},
                                     {"hooks idle", "pair_hooked idle", 1.5},
                                     {"counting", "pair_hooked counting", 4.0},
                                     {"counting and peak", "pair_hooked peak", std::nullopt},
                                     {"std::map hook", "pair_map_hook", std::nullopt}}};

using Samples = std::array<std::vector<double>, sides.size()>;

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

/// A random order of the sides.
std::array<std::size_t, sides.size()> shuffled(assay::Random& random) {
  std::array<std::size_t, sides.size()> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

assay::Result<Samples> measure(const std::string& folder, std::size_t rounds) {
  assay::Random random(1729);
  Samples samples;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const std::size_t side : shuffled(random)) {
      const auto pair_ns = run(folder + "/" + sides.at(side).command);
      if (!pair_ns) return pair_ns.error();
      samples.at(side).push_back(*pair_ns);
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

/// What a side adds, round by round: drift between rounds cancels.
std::vector<double> added(const Samples& samples, std::size_t side) {
  std::vector<double> differences;
  for (std::size_t round = 0; round < samples[0].size(); ++round) {
    differences.push_back(samples.at(side)[round] - samples[0][round]);
  }
  return differences;
}

/// One line of the table. Returns whether the promise is kept.
bool print_side(const Samples& samples, std::size_t side) {
  const std::vector<double>& times = samples.at(side);
  const std::vector<double> extra = added(samples, side);
  const double extra_ns = median(extra);
  const std::optional<double> promise = sides.at(side).promise_ns;
  const bool kept = !promise || extra_ns <= *promise;
  std::printf("%-18s %8.2f ns  +-%5.2f   added %+8.2f ns +-%5.2f   x%6.2f", sides.at(side).name,
              median(times), median_deviation(times), extra_ns, median_deviation(extra),
              median(times) / median(samples[0]));
  if (promise) std::printf("   promised <= %.1f ns: %s", *promise, kept ? "kept" : "BROKEN");
  std::printf("\n");
  return kept;
}

bool print(const Samples& samples) {
  std::printf("A malloc(64)/free pair; medians of %zu interleaved rounds, +- median deviation\n",
              samples[0].size());
  bool all_kept = true;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    all_kept = print_side(samples, side) && all_kept;
  }
  const double counting = median(added(samples, 3));
  const double map_hook = median(added(samples, 5));
  std::printf("counting adds %.0f times less than the std::map hook\n", map_hook / counting);
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
