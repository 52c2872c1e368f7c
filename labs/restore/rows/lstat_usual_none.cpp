// decode_usual_lstat() for processors for which we have no vector code.
#include <assay/restore/rows/lstat_usual.hpp>

namespace assay::restore {

bool decode_usual_lstat(std::string_view text, FileStat& stat) {
  return decode_usual_lstat_plainly(text, stat);
}

}  // namespace assay::restore
