// Purpose: everything the durability check was asked for.
//
//   const auto command = assay::index::crash::parse_crash_plan(argc, argv);
//   if (command.exit_code) return *command.exit_code;     // --help, or bad input: already said
//
// Thread safety: a value that nobody changes once it is parsed. Cost: none.
#pragma once

#include <assay/index/tree_api.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace assay::index::crash {

/// What a plug-in promises about a write that returned true: nothing, or that the write survives
/// the death of the process.
enum class Promise : std::uint8_t { none, acknowledged };

struct CrashPlan {
  std::string plugin{};
  std::uint32_t kills{10};
  // Loaded before the work; during it as many more may be inserted.
  std::uint32_t records{200};
  std::uint32_t threads{2};
  std::uint32_t key_size{8};
  std::uint32_t value_size{64};
  std::uint64_t seed{1729};
  std::uint32_t work_ms{300};  // the kill comes at a random moment within this time
  // Time limit for loading, and again for opening the store after the kill.
  std::uint32_t timeout_s{60};
  std::string pools{};  // folder for the pools; empty: the temporary folder
  std::uint64_t pool_size{256U << 20U};
  std::optional<Promise> promise{};  // absent: promise_of() decides
  std::string json{};                // file for the result; empty: none

  [[nodiscard]] std::uint32_t keys() const { return 2 * records; }
  [[nodiscard]] tree_options_t tree_options(const std::string& pool) const {
    return {.key_size = key_size,
            .value_size = value_size,
            .pool_path = pool,
            .pool_size = pool_size,
            .num_threads = threads};
  }
};

struct CrashCommand {
  CrashPlan plan{};
  // Set if the program shall exit at once: after --help, or an error that was printed.
  std::optional<int> exit_code{};
};

CrashCommand parse_crash_plan(int argc, const char* const* argv);

}  // namespace assay::index::crash
