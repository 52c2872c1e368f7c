// Purpose: which interface a plug-in was built for, read from the virtual function tables of its
// compiled classes.
//
//   for (const TreeClass& tree : tree_classes(symbols, base)) {  // those derived from tree_api
//     if (const auto other = other_interface(tree)) print(*other);  // "bulk_load, find, ..."
//   }
//
// A class's functions are called by their places in its table, and nothing else checks that the
// plug-in has the same function in the same place. The tables' names are in the file, unless the
// class is hidden and the file stripped: then no class is found, and nothing is reported.
//
// Thread safety: none needed. Cost: before anything is measured.
#pragma once

#include <assay/index/elf_symbols.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::index {

/// The names of one function in a table, such as "find(char const*, unsigned long, char*)" or
/// "~Map()": several if the linker merged functions with equal code, none if no name is known.
using TableEntry = std::vector<std::string>;

struct TreeClass {
  std::string name;
  std::vector<TableEntry> table;
};

/// The classes that create_tree might return. `base` is the library's load address.
std::vector<TreeClass> tree_classes(const std::vector<ElfSymbol>& symbols, std::uintptr_t base);

/// The functions in the class's table, as text, if it is not the table of PiBench's interface; else
/// nothing.
std::optional<std::string> other_interface(const TreeClass& tree);

/// The functions in the table after those of PiBench's interface, as text; the lab never calls
/// them.
std::string functions_never_called(const TreeClass& tree);

/// The function without its class: "find(char*)" for "(anonymous
/// namespace)::Map<int>::find(char*)".
std::string without_class(const std::string& function);

}  // namespace assay::index
