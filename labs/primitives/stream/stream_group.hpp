// Purpose: the benchmark of a stream, and the check before it: every message must arrive once, in
// order and unaltered.
//
//   add_stream<OneThread, StreamType::Deque>(group);
//
// `Runner<Stream, Sink>` is any class with the interface of those in stream_runners.hpp.
// Thread safety: main thread. Cost: none to the measurement.
#pragma once

#include <assay/primitives/stream/stream_runners.hpp>

#include <assay/primitives/measured.hpp>

#include <string>

namespace assay::primitives {

inline constexpr std::int64_t most_stream_bytes = std::int64_t{16} << 20U;

inline void stream_sizes(benchmark::internal::Benchmark& made) {
  made.ArgNames({"items", "size"});
  for (const std::int64_t items : {1, 64, 4'096, 65'536}) {
    for (const std::int64_t size : {1, 64, 4'096, 65'536}) {
      if (items * size <= most_stream_bytes) made.Args({items, size});
    }
  }
}

template <class Runner>
void bench_stream(benchmark::State& state) {
  const Shape shape{static_cast<std::size_t>(state.range(0)),
                    static_cast<std::size_t>(state.range(1))};
  const std::string message(shape.size, 'x');
  Runner runner(shape);
  Measured measured(state);
  for (auto _ : state) {
    runner.deliver(shape.items, [&message](std::size_t) -> const std::string& { return message; });
  }
  measured.done({.items = state.range(0), .bytes = state.range(0) * state.range(1)});
  if (runner.sink().count != shape.items * static_cast<std::size_t>(state.iterations())) {
    state.SkipWithError("messages were lost");
  }
}

/// A message of `size` bytes that begins with its number.
inline std::string numbered(std::size_t number, std::size_t size) {
  std::string message = "m" + std::to_string(number) + ".";
  message.resize(size, '-');
  return message;
}

/// A sink that expects the messages numbered 0, 1, 2 ... and describes the first that differs.
struct OrderedSink {
  std::size_t count = 0;
  Problem problem{};
  void take(const std::string& message) {
    const std::string wanted = numbered(count++, message.size());
    if (problem || message == wanted) return;
    problem = "got '" + message.substr(0, 16) + "' where '" + wanted.substr(0, 16) + "' was next";
  }
};

/// Checks three deliveries, each of more bytes than some streams hold. `Runner` must use
/// OrderedSink.
template <class Runner>
Problem check_stream() {
  constexpr Shape shape{.items = 1'000, .size = 5'000};
  Runner runner(shape);
  std::size_t first = 0;
  std::string message;
  for (int delivery = 0; delivery < 3; ++delivery) {
    runner.deliver(shape.items, [&](std::size_t i) -> const std::string& {
      return message = numbered(first + i, shape.size);
    });
    first += shape.items;
    if (runner.sink().problem) return runner.sink().problem;
    if (runner.sink().count != first) {
      return std::to_string(runner.sink().count) + " messages came, of " + std::to_string(first);
    }
  }
  return {};
}

template <template <class, class> class Runner, class Stream>
void add_stream(Group& group) {
  using Timed = Runner<Stream, CountingSink>;
  constexpr bool in_two = std::is_same_v<typename Timed::Condition, Threads::Two>;
  group.add({.name = name_of<Stream, typename Timed::Condition>("bench_stream"),
             .sharing = Stream::sharing,
             .check = check_stream<Runner<Stream, OrderedSink>>,
             .loop = bench_stream<Timed>,
             .shape = [](benchmark::internal::Benchmark& made) {
               stream_sizes(made);
               if (in_two) made.UseRealTime();
             }});
}

}  // namespace assay::primitives
