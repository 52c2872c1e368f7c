// What both versions share: compiled once, so that a difference found here is noise.
#include "element.hpp"

#include <cstdlib>
#include <cstring>

namespace {

bool must_be_escaped(char letter) {
  return letter == '"' || letter == '\\' || letter == ']';
}

std::size_t escaped_length(const char* text) {
  std::size_t length = 0;
  for (; *text != '\0'; ++text) length += must_be_escaped(*text) ? 2U : 1U;
  return length;
}

char* put(char* out, const char* text) {
  const std::size_t length = std::strlen(text);
  std::memcpy(out, text, length);
  return out + length;
}

char* put_escaped(char* out, const char* text) {
  for (; *text != '\0'; ++text) {
    if (must_be_escaped(*text)) *out++ = '\\';
    *out++ = *text;
  }
  return out;
}

std::size_t string_length(const Element& element) {
  std::size_t length = std::strlen("[") + std::strlen(element.name) + std::strlen("]");
  for (std::size_t i = 0; i < element.param_count; ++i) {
    const Param& param = *element.params[i];
    length += std::strlen(" =\"\"") + std::strlen(param.name) + escaped_length(param.value);
  }
  return length;
}

char* put_param(char* out, const Param& param) {
  out = put(out, " ");
  out = put(out, param.name);
  out = put(out, "=\"");
  out = put_escaped(out, param.value);
  return put(out, "\"");
}

void destroy_param(Param* param) {
  if (param == nullptr) return;
  std::free(param->name);
  std::free(param->value);
  std::free(param);
}

Param* new_param(const char* name, const char* value) {
  auto* param = static_cast<Param*>(std::malloc(sizeof(Param)));
  if (param == nullptr) return nullptr;
  *param = {strdup(name), strdup(value)};
  if (param->name != nullptr && param->value != nullptr) return param;
  destroy_param(param);
  return nullptr;
}

}  // namespace

Element* new_element(const char* name) {
  auto* element = static_cast<Element*>(std::malloc(sizeof(Element)));
  if (element == nullptr) return nullptr;
  *element = {strdup(name), nullptr, 0};
  if (element->name != nullptr) return element;
  std::free(element);
  return nullptr;
}

void destroy_element(const Element* element) {
  if (element == nullptr) return;
  for (std::size_t i = 0; i < element->param_count; ++i) destroy_param(element->params[i]);
  std::free(element->params);
  std::free(element->name);
  std::free(const_cast<Element*>(element));
}

Param* copy_param(const Param* param) {
  return new_param(param->name, param->value);
}

Element* append_param(Element* element, Param* param) {
  if (param == nullptr) return nullptr;
  const std::size_t bytes = (element->param_count + 1) * sizeof(Param*);
  auto* grown = static_cast<Param**>(std::realloc(element->params, bytes));
  if (grown == nullptr) {
    destroy_param(param);
    return nullptr;
  }
  element->params = grown;
  element->params[element->param_count++] = param;
  return element;
}

Element* add_param(Element* element, const char* name, const char* value) {
  return append_param(element, new_param(name, value));
}

void remove_last_param(Element* element) {
  if (element->param_count > 0) destroy_param(element->params[--element->param_count]);
}

char* element_to_string(const Element* element) {
  auto* text = static_cast<char*>(std::malloc(string_length(*element) + 1));
  if (text == nullptr) return nullptr;
  char* out = put(text, "[");
  out = put(out, element->name);
  for (std::size_t i = 0; i < element->param_count; ++i) out = put_param(out, *element->params[i]);
  *put(out, "]") = '\0';
  return text;
}
