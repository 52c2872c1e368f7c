#include <assay/index/workload/id_source.hpp>

#include <assay/index/workload/decreasing_sampler.hpp>
#include <assay/index/workload/fast_random.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::index {
namespace {

class Uniform final : public IdSource {
 public:
  Uniform(std::uint64_t records, std::uint64_t seed) : records_(records), random_(seed) {}

  void draw(std::span<std::uint64_t> ids, std::uint64_t /*inserted*/) override {
    FastRandom random = random_;
    const std::uint64_t records = records_;
    for (std::uint64_t& id : ids) id = share_of(random.next(), records).index;
    random_ = random;
  }

 private:
  std::uint64_t records_;
  FastRandom random_;
};

/// Draws by a decreasing law (zipfian or self-similar): record 0 is the most popular.
class Ranked final : public IdSource {
 public:
  Ranked(DecreasingSampler sampler, std::uint64_t seed)
      : sampler_(std::move(sampler)), random_(seed) {}

  void draw(std::span<std::uint64_t> ids, std::uint64_t /*inserted*/) override {
    FastRandom random = random_;
    for (std::uint64_t& id : ids) id = sampler_.draw(random);
    random_ = random;
  }

 private:
  DecreasingSampler sampler_;
  FastRandom random_;
};

class Latest final : public IdSource {
 public:
  Latest(const ThreadPartition& place, double exponent, std::uint64_t seed)
      : place_(place),
        sampler_(DecreasingSampler::zipfian(place.records, exponent)),
        random_(seed) {}

  void draw(std::span<std::uint64_t> ids, std::uint64_t inserted) override {
    for (std::uint64_t& id : ids) {
      const std::uint64_t rank = sampler_.draw(random_);
      id = rank < inserted ? place_.inserted_id(inserted - 1 - rank)
                           : place_.records - 1 - (rank - inserted);
    }
  }

 private:
  ThreadPartition place_;
  DecreasingSampler sampler_;
  FastRandom random_;
};

class Hotspot final : public IdSource {
 public:
  Hotspot(std::uint64_t records, const Access& access, std::uint64_t seed)
      : records_(records),
        hot_(std::clamp<std::uint64_t>(
            static_cast<std::uint64_t>(std::llround(access.skew * static_cast<double>(records))), 1,
            records)),
        is_hot_below_(access.hot_share >= 1
                          ? std::numeric_limits<std::uint64_t>::max()
                          : static_cast<std::uint64_t>(std::ldexp(access.hot_share, 64))),
        random_(seed) {}

  void draw(std::span<std::uint64_t> ids, std::uint64_t /*inserted*/) override {
    for (std::uint64_t& id : ids) {
      const bool is_hot = random_.next() < is_hot_below_ || hot_ == records_;
      const std::uint64_t among = is_hot ? hot_ : records_ - hot_;
      id = (is_hot ? 0 : hot_) + share_of(random_.next(), among).index;
    }
  }

 private:
  std::uint64_t records_;
  std::uint64_t hot_;
  std::uint64_t is_hot_below_;
  FastRandom random_;
};

/// Goes through the records in order, each thread from another start, and from the last one on to
/// the first.
class Sequential final : public IdSource {
 public:
  explicit Sequential(const ThreadPartition& place)
      : records_(place.records), next_(place.records / place.threads * place.thread) {}

  void draw(std::span<std::uint64_t> ids, std::uint64_t /*inserted*/) override {
    for (std::uint64_t& id : ids) {
      id = next_;
      next_ = next_ + 1 < records_ ? next_ + 1 : 0;
    }
  }

 private:
  std::uint64_t records_;
  std::uint64_t next_;
};

}  // namespace

std::unique_ptr<IdSource> make_id_source(const Access& access, const ThreadPartition& place,
                                         std::uint64_t seed) {
  const std::uint64_t records = std::max<std::uint64_t>(place.records, 1);
  switch (access.distribution) {
    case Distribution::zipfian:
      return std::make_unique<Ranked>(DecreasingSampler::zipfian(records, access.skew), seed);
    case Distribution::self_similar:
      return std::make_unique<Ranked>(DecreasingSampler::self_similar(records, access.skew), seed);
    case Distribution::latest:
      return std::make_unique<Latest>(place, access.skew, seed);
    case Distribution::hotspot:
      return std::make_unique<Hotspot>(records, access, seed);
    case Distribution::sequential:
      return std::make_unique<Sequential>(place);
    default:
      return std::make_unique<Uniform>(records, seed);
  }
}

}  // namespace assay::index
