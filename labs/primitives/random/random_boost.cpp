#include <assay/primitives/random/random_group.hpp>

#include <boost/random/taus88.hpp>

namespace assay::primitives {
namespace {

struct BoostTaus88 : RandomType::Standard<boost::random::taus88> {
  static constexpr std::string_view name = "RandomType::BoostTaus88";
  using Standard::Standard;
};

}  // namespace

const OptionalPart boost_sources_part([](Group& group) { add_source<BoostTaus88>(group); });

}  // namespace assay::primitives
