#include <assay/index/tree_classes.hpp>

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <string_view>
#include <typeinfo>

namespace assay::index {
namespace {

constexpr std::string_view table_prefix = "_ZTV";
constexpr std::size_t head_words = 2;  // offset to top and type_info, before the functions
constexpr std::size_t most_functions = 64;
constexpr std::size_t most_words = 4 * most_functions;  // a sanitizer pads the table

/// The virtual function table of PiBench's interface. The Itanium ABI has the destructor twice:
/// with and without `delete`.
constexpr std::array<std::string_view, 7> interface {
  "~", "~", "find(char const*, unsigned long, char*)",
      "insert(char const*, unsigned long, char const*, unsigned long)",
      "update(char const*, unsigned long, char const*, unsigned long)",
      "remove(char const*, unsigned long)", "scan(char const*, unsigned long, int, char*&)"
};

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

/// Whether the type derives from tree_api by single inheritance only, so that its tree_api is at
/// the start of the object.
bool is_tree(const std::type_info* type) {
  while (type != nullptr) {
    const auto* const derived = dynamic_cast<const abi::__si_class_type_info*>(type);
    if (derived == nullptr) return false;
    type = derived->__base_type;
    if (std::string_view(type->name()).starts_with("8tree_api")) return true;
  }
  return false;
}

// Reads without AddressSanitizer's checks: it pads each global with bytes that must not be read,
// and counts them in the size of the global's symbol.
__attribute__((no_sanitize("address"))) std::vector<std::uintptr_t> words_of(
    const std::uintptr_t* first, std::size_t count) {
  std::vector<std::uintptr_t> words;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uintptr_t word = first[i];  // read here, because push_back is checked
    words.push_back(word);
  }
  while (!words.empty() && words.back() == 0) words.pop_back();
  return words;
}

class Tables {
 public:
  Tables(const std::vector<ElfSymbol>& symbols, std::uintptr_t base) : base_(base) {
    for (const ElfSymbol& symbol : symbols) {
      if (symbol.is_defined && symbol.name.starts_with("_ZN"))
        names_.emplace(symbol.at, symbol.name);
    }
  }

  [[nodiscard]] std::optional<TreeClass> read(const ElfSymbol& symbol) const {
    const auto* const first = reinterpret_cast<const std::uintptr_t*>(base_ + symbol.at);
    const std::size_t there = symbol.bytes / sizeof *first;
    if (there <= head_words || there > most_words) return std::nullopt;
    const std::vector<std::uintptr_t> words = words_of(first, there);
    const std::size_t count = words.size();
    if (count <= head_words || count > most_functions) return std::nullopt;
    if (!is_tree(reinterpret_cast<const std::type_info*>(words[1]))) return std::nullopt;
    const std::string name = demangled("_Z" + symbol.name.substr(table_prefix.size()));
    TreeClass tree{.name = name.substr(0, name.find('<')), .table = {}};
    for (std::size_t i = head_words; i < count; ++i) tree.table.push_back(entry(words[i]));
    return tree;
  }

 private:
  [[nodiscard]] TableEntry entry(std::uintptr_t function) const {
    TableEntry names;
    const auto [first, last] = names_.equal_range(function - base_);
    for (auto at = first; at != last; ++at) {
      const std::string name = without_class(demangled(at->second));
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    Dl_info info{};
    const bool is_elsewhere = names.empty() &&
                              dladdr(reinterpret_cast<const void*>(function), &info) != 0 &&
                              info.dli_saddr == reinterpret_cast<void*>(function);
    if (is_elsewhere && info.dli_sname != nullptr) {
      names.push_back(without_class(demangled(info.dli_sname)));
    }
    return names;
  }

  std::uintptr_t base_;
  std::multimap<std::uint64_t, std::string> names_{};
};

bool is_abstract(const TreeClass& tree) {
  return std::any_of(tree.table.begin(), tree.table.end(), [](const TableEntry& entry) {
    return std::find(entry.begin(), entry.end(), "__cxa_pure_virtual") != entry.end();
  });
}

bool may_be(const TableEntry& entry, std::string_view wanted) {
  return entry.empty() || std::any_of(entry.begin(), entry.end(), [&](const std::string& name) {
           return wanted == "~" ? name.starts_with("~") : name == wanted;
         });
}

std::string without_parameters(const std::string& function) {
  return function.substr(0, function.find('('));
}

std::string listed(const TreeClass& tree, std::size_t first, auto text_of) {
  std::string list;
  for (std::size_t i = first; i < tree.table.size(); ++i) {
    const TableEntry& entry = tree.table[i];
    if (!entry.empty() && entry.front().starts_with("~")) continue;
    list += (list.empty() ? "" : ", ") + (entry.empty() ? "?" : text_of(entry.front()));
  }
  return list;
}

bool has_the_names(const TreeClass& tree) {
  if (tree.table.size() < interface.size()) return false;
  for (std::size_t i = head_words; i < interface.size(); ++i) {
    const TableEntry& entry = tree.table[i];
    const auto is_named = [&](const std::string& name) {
      return without_parameters(name) == without_parameters(std::string(interface[i]));
    };
    if (!entry.empty() && std::none_of(entry.begin(), entry.end(), is_named)) return false;
  }
  return true;
}

}  // namespace

std::string without_class(const std::string& function) {
  int depth = 0;
  std::size_t open = function.rfind(')');
  if (open == std::string::npos) return function;
  for (;; --open) {
    if (function[open] == ')') ++depth;
    if (function[open] == '(' && --depth == 0) break;
    if (open == 0) return function;
  }
  const std::size_t colons = function.rfind("::", open);
  return colons == std::string::npos ? function : function.substr(colons + 2);
}

std::vector<TreeClass> tree_classes(const std::vector<ElfSymbol>& symbols, std::uintptr_t base) {
  const Tables tables(symbols, base);
  // By name: a class may be in both symbol tables of the file.
  std::map<std::string, TreeClass> found;
  for (const ElfSymbol& symbol : symbols) {
    if (!symbol.is_defined || !symbol.name.starts_with(table_prefix)) continue;
    auto tree = tables.read(symbol);
    if (tree && !is_abstract(*tree)) found.emplace(symbol.name, *std::move(tree));
  }
  std::vector<TreeClass> classes;
  classes.reserve(found.size());
  for (auto& [name, tree] : found) classes.push_back(std::move(tree));
  return classes;
}

std::optional<std::string> other_interface(const TreeClass& tree) {
  bool is_other = tree.table.size() < interface.size();
  for (std::size_t i = 0; !is_other && i < interface.size(); ++i) {
    is_other = !may_be(tree.table[i], interface[i]);
  }
  if (!is_other) return std::nullopt;
  if (!has_the_names(tree)) return listed(tree, 0, without_parameters);
  return listed(tree, 0, [](const std::string& name) { return name; });
}

std::string functions_never_called(const TreeClass& tree) {
  return listed(tree, interface.size(), without_parameters);
}

}  // namespace assay::index
