#include <assay/primitives/memcpy/memcpy_group.hpp>

namespace assay::primitives {

const OptionalPart rep_movsb_part([](Group& group) {
  // The instruction writes through `to`, which clang-tidy does not see.
  // NOLINTNEXTLINE(readability-non-const-parameter)
  add_copy(group, "CopyType::RepMovsb", [](char* to, const char* from, std::size_t size) {
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
  });
});

}  // namespace assay::primitives
