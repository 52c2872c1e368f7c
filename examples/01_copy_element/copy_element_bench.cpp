// One benchmark source, linked with either version of copy_element. NewElement, AddParam
// and ElementToString are the same code in both executables: no verdict but "same" is
// right for them, which shows that the judge does not see ghosts.
#include "element.hpp"

#include <assay/assay.hpp>

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

Element* make_element(std::int64_t param_count) {
  Element* element = new_element("copy-element-perf");
  for (std::int64_t i = 1; i <= param_count; ++i) {
    const std::string number = std::to_string(i);
    add_param(element, ("param-" + number).c_str(), ("value-" + number).c_str());
  }
  return element;
}

std::string to_string(const Element* element) {
  char* text = element_to_string(element);
  std::string copied = text;
  std::free(text);
  return copied;
}

/// A wrong copy is fast: look before timing.
bool copies_are_right(const Element* element) {
  const Element* copy = copy_element(element);
  const bool right = copy != nullptr && copy->param_count == element->param_count &&
                     to_string(copy) == to_string(element);
  destroy_element(copy);
  return right;
}

void CopyElement(benchmark::State& state) {
  const Element* element = make_element(state.range(0));
  if (!copies_are_right(element)) state.SkipWithError("the copy differs from its original");
  const assay::AllocationScope scope;
  for (auto _ : state) {
    const Element* copy = copy_element(element);
    benchmark::DoNotOptimize(copy);
    destroy_element(copy);
  }
  assay::report_allocations(state, scope);
  destroy_element(element);
}

void NewElement(benchmark::State& state) {
  const assay::AllocationScope scope;
  for (auto _ : state) {
    Element* element = new_element("new-element-perf");
    for (std::int64_t i = 0; i < state.range(0); ++i) add_param(element, "param", "value");
    benchmark::DoNotOptimize(element);
    destroy_element(element);
  }
  assay::report_allocations(state, scope);
}

/// One more parameter on an element that has some. It is taken off again inside the timed
/// region: pausing the clock would cost more than either.
void AddParam(benchmark::State& state) {
  Element* element = make_element(state.range(0));
  const assay::AllocationScope scope;
  for (auto _ : state) {
    benchmark::DoNotOptimize(add_param(element, "param", "value"));
    remove_last_param(element);
  }
  assay::report_allocations(state, scope);
  destroy_element(element);
}

void ElementToString(benchmark::State& state) {
  const Element* element = make_element(state.range(0));
  const assay::AllocationScope scope;
  for (auto _ : state) {
    char* text = element_to_string(element);
    benchmark::DoNotOptimize(text);
    std::free(text);
  }
  assay::report_allocations(state, scope);
  destroy_element(element);
}

BENCHMARK(CopyElement)->Arg(0)->Arg(2)->Arg(16)->Arg(256);
BENCHMARK(NewElement)->Arg(0)->Arg(2)->Arg(16)->Arg(256);
BENCHMARK(AddParam)->Arg(0)->Arg(2)->Arg(16)->Arg(256);
BENCHMARK(ElementToString)->Arg(0)->Arg(2)->Arg(16)->Arg(256);

}  // namespace

ASSAY_MAIN();
