#include <assay/index/options/option_names.hpp>

#include <array>
#include <cstddef>

namespace assay::index {
namespace {

template <std::size_t Count>
std::string_view pick(const std::array<std::string_view, Count>& names, auto value) {
  return names[static_cast<std::size_t>(value)];
}

}  // namespace

std::string_view name_of(Distribution distribution) {
  return pick(std::array<std::string_view, 6>{"uniform", "zipfian", "selfsimilar", "latest",
                                              "hotspot", "sequential"},
              distribution);
}

std::string_view name_of(KeyOrder order) {
  return pick(std::array<std::string_view, 2>{"hashed", "ordered"}, order);
}

std::string_view name_of(Spread spread) {
  return pick(std::array<std::string_view, 3>{"fixed", "uniform", "zipfian"}, spread);
}

std::string_view name_of(Mode mode) {
  return pick(std::array<std::string_view, 2>{"operation", "time"}, mode);
}

std::string_view name_of(Arrival arrival) {
  return pick(std::array<std::string_view, 2>{"fixed", "poisson"}, arrival);
}

std::string_view name_of(Report report) {
  return pick(std::array<std::string_view, 4>{"assay", "pibench", "pibench-v1", "none"}, report);
}

}  // namespace assay::index
