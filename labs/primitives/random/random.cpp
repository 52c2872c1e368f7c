// Random numbers. After flowbench's bench_random.
#include <assay/primitives/random/random_group.hpp>

#include <sys/random.h>

#include <cerrno>
#include <system_error>

namespace assay::primitives {

std::uint64_t RandomType::GetRandom::next() {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) {
    throw std::system_error(errno, std::generic_category(), "getrandom");
  }
  return number;
}

Group group() {
  Group group;
  add_source<RandomType::Mersenne64>(group);
  add_source<RandomType::Minstd>(group);
  add_source<RandomType::AssayRandom>(group);
  add_source<RandomType::DeterministicRandom>(group);
  add_source<RandomType::GetRandom>(group);
  add_optional_parts(group);
  return group;
}

}  // namespace assay::primitives
