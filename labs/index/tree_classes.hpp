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

/// The names of one function of a table: several where the linker gave several functions one
/// body, none where no name is known. "find(char const*, unsigned long, char*)", "~Map()".
using TableEntry = std::vector<std::string>;

struct TreeClass {
  std::string name;
  std::vector<TableEntry> table;
};

/// The classes that could be what create_tree returns. `base` is where the library is loaded.
std::vector<TreeClass> tree_classes(const std::vector<ElfSymbol>& symbols, std::uintptr_t base);

/// The functions in the table, as text, where it is not that of PiBench's interface; else nothing.
std::optional<std::string> other_interface(const TreeClass& tree);

/// The functions behind those of PiBench's interface, as text; they are never called.
std::string functions_never_called(const TreeClass& tree);

/// "find(char*)" for "(anonymous namespace)::Map<int>::find(char*)".
std::string without_class(const std::string& function);

}  // namespace assay::index
