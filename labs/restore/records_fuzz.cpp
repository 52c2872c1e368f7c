// libFuzzer target: no file may crash the readers of catalogues, or the tree that gets its rows.
//
//   cmake --preset fuzz && cmake --build build/fuzz --target records_fuzz
//   build/fuzz/tests/records_fuzz -max_total_time=60
//
// Each input is read as CSV and as a listing, as `tree --csv` and `tree --listing` read it.
#include <assay/restore/catalogue/record_readers.hpp>
#include <assay/restore/compact/compact_tree.hpp>
#include <assay/restore/tree/intake.hpp>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace {

using namespace assay::restore;

template <class Reader>
void check(Reader reader) {
  CompactTree tree;
  Intake<CompactTree> intake(tree);
  while (const std::optional<ReadRecord> record = reader.next()) {
    if (record->fault != RowFault::none) {
      intake.reject(record->fault);
    } else {
      intake.take(record->columns);
    }
  }
  for (const Rejection& one : intake.rejections().first()) {
    if (one.line().empty()) std::abort();
  }
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): libFuzzer's name for it
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(CsvReader(text));
  check(ListingReader(text));
  return 0;
}
// NOLINTEND(readability-identifier-naming)
