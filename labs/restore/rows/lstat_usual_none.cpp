// For processors whose vector instructions we do not use.
#include <assay/restore/rows/lstat_usual.hpp>

namespace assay::restore {

bool decode_usual_lstat(std::string_view text, FileStat& stat) {
  return decode_usual_lstat_plainly(text, stat);
}

}  // namespace assay::restore
