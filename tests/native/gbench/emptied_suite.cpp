// Benchmarks with names of the primitives suite and empty loops, as if the compiler had removed
// their work. The bounds of tests/python/suites must catch them.
#include <assay/assay.hpp>

namespace {

void emptied(benchmark::State& state) {
  for (auto _ : state) {
  }
  state.SetItemsProcessed(state.iterations());
}

void emptied_bytes(benchmark::State& state) {
  emptied(state);
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

void emptied_items(benchmark::State& state) {
  emptied(state);
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void without_items(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(state.iterations());
}

BENCHMARK(emptied)->Name("bench_ref_create_and_destroy<RefType::RawPointer>");
BENCHMARK(emptied)->Name("bench_ref_copy<RefType::SharedPointer>");
BENCHMARK(emptied)->Name("bench_ref_contended_copy<RefType::IntrusiveThreadSafe>");
BENCHMARK(emptied)->Name("bench_random_next<RandomType::GetRandom>");
BENCHMARK(emptied)->Name("bench_timer<TimerType::ClockThreadCpu>");
BENCHMARK(emptied_items)
    ->Name("bench_iterate<ListType::PmrMonotonic>")
    ->ArgNames({"items"})
    ->Arg(64)
    ->Arg(4'096);
BENCHMARK(emptied_bytes)->Name("bench_memcpy<CopyType::Memcpy>")->Arg(1 << 20);
BENCHMARK(emptied)->Name("bench_lock_exclusive<LockType::Spin>");
BENCHMARK(emptied)->Name("bench_callback_create_and_destroy<CallbackType::MoveOnly>");
BENCHMARK(emptied)->Name("bench_future_within_a_thread<FutureType::Promise>");
BENCHMARK(emptied)->Name("bench_coroutine_await<AwaitType::SymmetricTransfer>");
BENCHMARK(emptied)->Name("bench_timer_queue_life<TimerQueueType::Wheel>");
BENCHMARK(emptied)->Name("bench_transport_round_trip<TransportType::Pipe>");
BENCHMARK(emptied)->Name("bench_serialization_encode<SerializationType::Memcpy>");
BENCHMARK(without_items)->Name("bench_hash<HashType::StdHash>");

}  // namespace

ASSAY_MAIN();
