#include <assay/os/harness/sampling.hpp>

#include <assay/base/units.hpp>
#include <assay/system/clock.hpp>

#include <poll.h>

#include <algorithm>
#include <ctime>
#include <new>

namespace assay::os {
namespace {

// At least a cache line, so that the samples lie in others.
constexpr std::size_t decisions_bytes = 128;
constexpr std::int64_t tick_phase_ns = 75'000'000;

std::int64_t thread_cpu_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * ns_per_s + time.tv_nsec;
}

Error team_abandoned() {
  return {"the other workers have gone", "team"};
}

}  // namespace

// ---- SampleTable: [Decisions][most_calls of each worker][cpu_ns of each][samples of each] ---

Result<SampleTable> SampleTable::make(int workers, std::int64_t samples) {
  const auto rows = static_cast<std::size_t>(workers);
  const auto columns = static_cast<std::size_t>(samples) + 2;
  auto pages = SharedPages::make(decisions_bytes + rows * columns * sizeof(std::int64_t));
  if (!pages) return pages.error();
  new (pages->as<void>()) Decisions;
  return SampleTable(std::move(pages).value(), workers, samples);
}

Calls& SampleTable::most_calls(int worker) const {
  auto* const numbers = reinterpret_cast<std::int64_t*>(pages_.as<std::byte>() + decisions_bytes);
  return numbers[worker];
}

std::int64_t& SampleTable::cpu_ns(int worker) const {
  auto* const numbers = reinterpret_cast<std::int64_t*>(pages_.as<std::byte>() + decisions_bytes);
  return numbers[workers_ + worker];
}

std::int64_t& SampleTable::took_ns(int worker, std::int64_t sample) const {
  auto* const numbers = reinterpret_cast<std::int64_t*>(pages_.as<std::byte>() + decisions_bytes);
  return numbers[std::int64_t{2} * workers_ + worker * samples_ + sample];
}

std::vector<double> SampleTable::per_call_ns(double clock_cost_ns) const {
  std::vector<double> all;
  const auto calls = static_cast<double>(decisions().calls.load());
  for (std::int64_t sample = 0; sample < decisions().taken.load(); ++sample) {
    for (int worker = 0; worker < workers_; ++worker) {
      const double net_ns = static_cast<double>(took_ns(worker, sample)) - clock_cost_ns;
      all.push_back(std::max(net_ns, 0.0) / calls);
    }
  }
  return all;
}

double SampleTable::cpu_per_call_ns() const {
  std::int64_t sum_ns = 0;
  for (int worker = 0; worker < workers_; ++worker) sum_ns += cpu_ns(worker);
  const std::int64_t calls = decisions().taken * workers_ * decisions().calls;
  return calls > 0 ? static_cast<double>(sum_ns) / static_cast<double>(calls) : 0;
}

// ---- Sampler -----------------------------------------------------------------------------

Calls next_batch(Calls calls, double took_ns, std::int64_t aim_ns, Calls most) {
  const auto aim = static_cast<double>(aim_ns);
  if (calls >= most || took_ns >= 0.8 * aim) return calls;
  const double factor = std::clamp(aim / std::max(took_ns, 1.0), 1.25, 10.0);
  const auto more = static_cast<Calls>(static_cast<double>(calls) * factor) + 1;
  return std::min(more, most);
}

Status Sampler::meet() const {
  if (barrier_.wait()) return {};
  return team_abandoned();
}

// Each batch size is run twice and the faster one counts, because the first run also pays for page
// faults.
Status Sampler::calibrate() {
  Calls most = any_number;
  if (Status done = agree_on_most_calls(most); !done) return done;
  Calls calls = std::min(std::max<Calls>(effort_.batch, 1), most);
  for (;;) {
    if (Status done = batch(calls, 0); !done) return done;
    double took_ns = mean_took_ns(0);
    if (effort_.batch > 0) break;
    if (Status done = meet(); !done) return done;  // all have read took_ns before it is overwritten
    if (Status done = batch(calls, 0); !done) return done;
    took_ns = std::min(took_ns, mean_took_ns(0));
    if (Status done = meet(); !done) return done;
    const Calls next = next_batch(calls, took_ns, effort_.sample_ns, most);
    if (next == calls) break;
    calls = next;
  }
  if (leads()) table_.decisions().calls = calls;
  return meet();
}

Status Sampler::agree_on_most_calls(Calls& most) {
  table_.most_calls(worker_.index) = work_.most_calls();
  if (Status done = meet(); !done) return done;
  for (int worker = 0; worker < table_.workers(); ++worker) {
    most = std::min(most, table_.most_calls(worker));
  }
  most = std::max<Calls>(most, 1);
  return {};
}

Status Sampler::take_all() {
  auto& decisions = table_.decisions();
  const Calls calls = decisions.calls;
  deadline_ns_ = now_ns() + effort_.longest_ns;
  for (std::int64_t sample = 0; !decisions.stop; ++sample) {
    if (Status done = batch(calls, sample); !done) return done;
  }
  return {};
}

Status Sampler::batch(Calls calls, std::int64_t place) {
  if (Status done = work_.prepare(calls); !done) return done;
  if (effort_.align) align_with_clock();
  if (Status done = meet(); !done) return done;
  const std::int64_t cpu_began_ns = thread_cpu_ns();
  const std::int64_t began_ns = now_ns();
  Status done = work_.run(calls);
  const std::int64_t ended_ns = now_ns();
  if (!done) return done;
  if (deadline_ns_ > 0) table_.cpu_ns(worker_.index) += thread_cpu_ns() - cpu_began_ns;
  table_.took_ns(worker_.index, place) = ended_ns - began_ns;
  if (leads() && deadline_ns_ > 0) {
    table_.decisions().taken = place + 1;
    const bool enough = effort_.enough_calls > 0 && (place + 1) * calls >= effort_.enough_calls;
    const bool last = place + 1 >= effort_.samples || ended_ns > deadline_ns_;
    if (enough || last) table_.decisions().stop = true;
  }
  if (Status left = meet(); !left) return left;
  return work_.undo(calls);
}

void Sampler::align_with_clock() {
  const std::int64_t now = now_ns();
  if (now - slept_at_ns_ < tick_phase_ns) return;
  poll(nullptr, 0, 10);
  slept_at_ns_ = now;
}

double Sampler::mean_took_ns(std::int64_t place) const {
  double sum = 0;
  for (int worker = 0; worker < table_.workers(); ++worker) {
    sum += static_cast<double>(table_.took_ns(worker, place));
  }
  return sum / table_.workers();
}

}  // namespace assay::os
