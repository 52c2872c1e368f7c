#include <assay/primitives/random/random_group.hpp>

#include <absl/random/random.h>

namespace assay::primitives {
namespace {

/// Abseil seeds it at random, so that it gives another sequence each time.
class AbslBitGen {
 public:
  static constexpr std::string_view name = "RandomType::AbslBitGen";
  static constexpr Sharing sharing = Sharing::single_threaded;
  static constexpr bool repeats = false;
  explicit AbslBitGen(std::uint64_t) {}
  std::uint64_t next() { return bits_(); }
  double unit() { return absl::Uniform<double>(bits_, 0, 1); }

 private:
  absl::BitGen bits_;
};

class AbslInsecureBitGen {
 public:
  static constexpr std::string_view name = "RandomType::AbslInsecureBitGen";
  static constexpr Sharing sharing = Sharing::single_threaded;
  static constexpr bool repeats = false;
  explicit AbslInsecureBitGen(std::uint64_t) {}
  std::uint64_t next() { return bits_(); }
  double unit() { return absl::Uniform<double>(bits_, 0, 1); }

 private:
  absl::InsecureBitGen bits_;
};

}  // namespace

const OptionalPart absl_sources_part([](Group& group) {
  add_source<AbslBitGen>(group);
  add_source<AbslInsecureBitGen>(group);
});

}  // namespace assay::primitives
