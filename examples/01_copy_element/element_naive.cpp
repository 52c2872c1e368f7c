// The copy as first written: one parameter after the other, each growing the list.
#include "element.hpp"

Element* copy_element(const Element* element) {
  Element* copy = new_element(element->name);
  if (copy == nullptr) return nullptr;
  for (std::size_t i = 0; i < element->param_count; ++i) {
    if (append_param(copy, copy_param(element->params[i])) == nullptr) {
      destroy_element(copy);
      return nullptr;
    }
  }
  return copy;
}
