#include <assay/index/crash/promise.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace assay::index::crash {
namespace {

struct Row {
  std::string_view plugin;
  Promise promise;
  // An environment variable; if it is 0, the plug-in promises nothing.
  const char* unless_off;
};

// The plug-ins that promise nothing, or that a variable can make promise nothing. One that does not
// wait for the disk (ASSAY_..._SYNC=0) keeps its promise: it has handed its writes to the kernel,
// which outlives the process.
constexpr std::array table = {
    Row{"dummy", Promise::none, ""},
    Row{"stlmap", Promise::none, ""},
    Row{"absl_btree", Promise::none, ""},
    Row{"rocksdb", Promise::acknowledged, "ASSAY_ROCKSDB_WAL"},
};

bool is_off(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && std::string_view(value) == "0";
}

}  // namespace

Promise promise_of(std::string_view plugin) {
  const auto row = std::find_if(table.begin(), table.end(),
                                [&](const Row& one) { return one.plugin == plugin; });
  if (row == table.end()) return Promise::acknowledged;
  return is_off(row->unless_off) ? Promise::none : row->promise;
}

std::string name_of(Promise promise) {
  return promise == Promise::none ? "none" : "acknowledged";
}

}  // namespace assay::index::crash
