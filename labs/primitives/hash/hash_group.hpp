// Purpose: the benchmark of a hash function, and the checks before it.
//
//   add_hash(group, "HashType::StdHash", [](std::string_view text) { return ...; });
//
// Thread safety: main thread. Cost: none to the measurement.
#pragma once

#include <assay/base/random.hpp>
#include <assay/primitives/group.hpp>
#include <assay/primitives/measured.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace assay::primitives {

/// A text of random bytes.
inline std::string random_text(std::size_t size, Random& random) {
  std::string text(size, ' ');
  for (char& letter : text) letter = static_cast<char>(random.below(256));
  return text;
}

/// Checks that equal texts have equal hashes wherever they lie in memory, and that a flipped bit
/// changes the hash.
template <class Hash>
Problem check_hash(const Hash& hash) {
  Random random(1729);
  for (const std::size_t size : {1U, 3U, 8U, 15U, 64U, 100U, 1'000U, 5'000U}) {
    const std::string text = random_text(size, random);
    const std::string shifted = "-" + text;
    const auto value = hash(text);
    if (hash(std::string_view(shifted).substr(1)) != value) return "depends on where the text lies";
    for (std::size_t at = 0; at < size; at += 1 + size / 16) {
      std::string other = text;
      other[at] = static_cast<char>(other[at] ^ 1);
      if (hash(other) == value) return "does not look at byte " + std::to_string(at);
    }
  }
  return {};
}

/// Checks that the hash of `text` is `wanted`, and all that check_hash() does.
template <class Hash>
Problem check_known(const Hash& hash, std::string_view text, std::uint64_t wanted) {
  const std::uint64_t value = hash(text);
  if (value == wanted) return check_hash(hash);
  return "gives " + std::to_string(value) + " for '" + std::string(text) + "', not " +
         std::to_string(wanted);
}

template <class Hash>
void add_hash(Group& group, const std::string& name, Hash hash,
              const std::function<Problem()>& check) {
  group.add({.name = "bench_hash<" + name + ">",
             .check = check,
             .loop =
                 [hash](benchmark::State& state) {
                   Random random(1729);
                   std::string text = random_text(static_cast<std::size_t>(state.range(0)), random);
                   Measured measured(state);
                   for (auto _ : state) {
                     benchmark::DoNotOptimize(text.data());
                     benchmark::ClobberMemory();
                     benchmark::DoNotOptimize(hash(std::string_view(text)));
                   }
                   measured.done({.items = 1, .bytes = state.range(0)});
                 },
             .shape =
                 [](benchmark::internal::Benchmark& made) {
                   made.ArgName("size");
                   for (const int size : {8, 64, 512, 4'096, 32'768, 1'048'576}) made.Arg(size);
                 }});
}

template <class Hash>
void add_hash(Group& group, const std::string& name, Hash hash) {
  add_hash(group, name, hash, [hash] { return check_hash(hash); });
}

/// CRC-32C (Castagnoli), eight bits at a time from a table.
std::uint32_t crc32c_table(std::string_view text);

inline constexpr std::string_view crc32c_text = "123456789";  // the usual test input of CRCs
inline constexpr std::uint32_t crc32c_of_text = 0xe3069283U;

}  // namespace assay::primitives
