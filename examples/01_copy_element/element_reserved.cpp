// The copy improved: its length is known, so the list is allocated once.
#include "element.hpp"

#include <cstdlib>

namespace {

bool copy_params(Element* copy, const Element* element) {
  if (element->param_count == 0) return true;
  copy->params = static_cast<Param**>(std::malloc(element->param_count * sizeof(Param*)));
  if (copy->params == nullptr) return false;
  for (std::size_t i = 0; i < element->param_count; ++i) {
    Param* const param = copy_param(element->params[i]);
    if (param == nullptr) return false;
    copy->params[copy->param_count++] = param;
  }
  return true;
}

}  // namespace

Element* copy_element(const Element* element) {
  Element* copy = new_element(element->name);
  if (copy == nullptr || copy_params(copy, element)) return copy;
  destroy_element(copy);
  return nullptr;
}
