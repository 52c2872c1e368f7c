// Purpose: the benchmarks of a serialization format, and the check before them.
//
//   class Protobuf {                                 // keeps its buffers from call to call
//    public:
//     static constexpr std::string_view name = "SerializationType::Protobuf";
//     std::string_view encode(const MutationBatch&);   // and Order; valid until the next call
//     template <class Sink>
//     bool decode(std::string_view, std::type_identity<MutationBatch>, Sink&);   // false: broken
//   };
//   add_format<Protobuf>(group);
//
// Thread safety: none. Cost to the measurement: the sink of a decoder adds every field to a
// checksum (Checksum), which takes the same time for all formats.
#pragma once

#include <assay/primitives/serialization/serialization_records.hpp>

#include <assay/primitives/group.hpp>
#include <assay/primitives/measured.hpp>

#include <string>
#include <type_traits>

namespace assay::primitives {

struct Shape {
  struct Mutations {
    static constexpr std::string_view name = "Shape::Mutations";
    using Record = MutationBatch;
    static Record make(std::size_t mutations) { return make_batch(mutations); }
    static std::int64_t items(std::int64_t mutations) { return mutations; }
    static void sizes(benchmark::internal::Benchmark& made) {
      made.ArgName("mutations")->Arg(1)->Arg(32)->Arg(1'024);
    }
  };
  struct NestedRecord {
    static constexpr std::string_view name = "Shape::NestedRecord";
    using Record = Order;
    static Record make(std::size_t items) { return make_order(items); }
    static std::int64_t items(std::int64_t /*items*/) { return 1; }
    static void sizes(benchmark::internal::Benchmark& made) { made.ArgName("lines")->Arg(8); }
  };
};

inline Problem compare(const Transcript& wanted, const Transcript& seen) {
  const auto& left = wanted.fields();
  const auto& right = seen.fields();
  for (std::size_t i = 0; i < left.size() && i < right.size(); ++i) {
    if (left[i] == right[i]) continue;
    return "field " + std::to_string(i) + " was '" + left[i] + "' and came back as '" + right[i] +
           "'";
  }
  if (left.size() == right.size()) return {};
  return std::to_string(right.size()) + " of " + std::to_string(left.size()) + " fields came back";
}

/// Encodes and decodes records of no, one and many items with one object, so that state left by one
/// encoding shows in the next.
template <class Format, class Kind>
Problem check_round_trip() {
  using Record = typename Kind::Record;
  Format format;
  for (const std::size_t count : {100U, 0U, 1U, 30U}) {
    const Record record = Kind::make(count);
    Transcript wanted;
    walk(record, wanted);
    Transcript seen;
    const std::string bytes(format.encode(record));
    if (!format.decode(bytes, std::type_identity<Record>(), seen)) {
      return "its own bytes of " + std::to_string(count) + " items could not be read";
    }
    if (auto problem = compare(wanted, seen)) return problem;
  }
  return {};
}

template <class Format, class Kind>
void encode(benchmark::State& state) {
  auto record = Kind::make(static_cast<std::size_t>(state.range(0)));
  Format format;
  std::string_view bytes;
  Measured measured(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(&record);
    benchmark::ClobberMemory();
    bytes = format.encode(record);
    benchmark::DoNotOptimize(bytes.data());
    benchmark::ClobberMemory();
  }
  measured.done(
      {.items = Kind::items(state.range(0)), .bytes = static_cast<std::int64_t>(bytes.size())});
  state.counters["encoded_bytes"] = static_cast<double>(bytes.size());
}

/// DoNotOptimize for a value that is only read. benchmark::DoNotOptimize may also write it, with
/// which g++ 12 loses the value under its undefined-behaviour sanitizer.
inline void keep(const std::uint64_t& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

template <class Format, class Kind>
void decode(benchmark::State& state) {
  using Record = typename Kind::Record;
  const Record record = Kind::make(static_cast<std::size_t>(state.range(0)));
  Checksum wanted;
  walk(record, wanted);
  Format format;
  const std::string_view bytes = format.encode(record);
  std::uint64_t sum = 0;
  Measured measured(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(bytes.data());
    benchmark::ClobberMemory();
    Checksum sink;
    format.decode(bytes, std::type_identity<Record>(), sink);
    sum = sink.sum();
    keep(sum);
  }
  measured.done(
      {.items = Kind::items(state.range(0)), .bytes = static_cast<std::int64_t>(bytes.size())});
  state.counters["encoded_bytes"] = static_cast<double>(bytes.size());
  if (sum != wanted.sum()) state.SkipWithError("fields were lost");
}

template <class Format, class Kind>
void add_shape(Group& group) {
  group.add({.name = name_of<Format, Kind>("bench_serialization_encode"),
             .check = check_round_trip<Format, Kind>,
             .loop = encode<Format, Kind>,
             .shape = Kind::sizes});
  group.add({.name = name_of<Format, Kind>("bench_serialization_decode"),
             .check = check_round_trip<Format, Kind>,
             .loop = decode<Format, Kind>,
             .shape = Kind::sizes});
}

template <class Format>
void add_format(Group& group) {
  add_shape<Format, Shape::Mutations>(group);
  add_shape<Format, Shape::NestedRecord>(group);
}

void add_memcpy(Group& group);
void add_json(Group& group);

}  // namespace assay::primitives
