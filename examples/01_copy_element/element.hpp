// A log element: a name and an ordered list of named parameters, as in RFC 5424.
//
//   Element* element = new_element("origin");
//   add_param(element, "ip", "192.0.2.1");
//   destroy_element(element);
//
// C-like on purpose: plain structs from malloc, null for "out of memory", strings
// copied in, everything owned by the element. No part of it knows that it is measured.
#pragma once

#include <cstddef>

struct Param {
  char* name;
  char* value;
};

struct Element {
  char* name;
  Param** params;
  std::size_t param_count;
};

Element* new_element(const char* name);
void destroy_element(const Element* element);

/// Adds a copy of both strings. Grows the list by one each time.
Element* add_param(Element* element, const char* name, const char* value);

void remove_last_param(Element* element);

/// A copy that shares nothing with its original. Comes in two versions, to be compared:
/// element_naive.cpp and element_reserved.cpp.
Element* copy_element(const Element* element);

/// [name p1="v1" p2="v2"] with \" \\ and \] escaped; to be freed by the caller.
char* element_to_string(const Element* element);

// What the copies are built from.
Param* copy_param(const Param* param);
Element* append_param(Element* element, Param* param);
