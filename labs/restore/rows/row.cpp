#include <assay/restore/rows/row.hpp>

namespace assay::restore {

std::string_view describe(RowFault fault) {
  using enum RowFault;
  switch (fault) {
    case none:
      return "nothing";
    case wrong_column_count:
      return "not eight columns";
    case path_without_slash:
      return "Path does not end in '/'";
    case empty_component:
      return "Path has an empty component ('//')";
    case overlong_path:
      return "Path is longer than 65535 bytes";
    case overlong_name:
      return "a name is longer than 255 bytes";
    case slash_or_nul_in_name:
      return "Name or Path holds a '/' or NUL that no file name can";
    case bad_file_index:
      return "FileIndex is no number from 0 to 2147483647";
    case bad_job_id:
      return "JobId is no number from 1 to 4294967295";
    case bad_lstat_base64:
      return "LStat is not base64 numbers with spaces between";
    case short_lstat:
      return "LStat has fewer than 14 fields";
    case bad_delta_seq:
      return "DeltaSeq is no number from 0 to 2147483647";
    case bad_fhinfo:
      return "Fhinfo is no number";
    case bad_fhnode:
      return "Fhnode is no number";
    case delta_without_predecessor:
      return "a delta of a file that is not there";
    case delta_out_of_sequence:
      return "DeltaSeq does not follow its predecessor by one";
    case hard_link_cycle:
      return "a hard link that leads back to itself";
    case too_many_jobs:
      return "more than 65534 jobs";
    case tree_full:
      return "more than 4294967294 files";
    case unreadable_record:
      return "a record that its format does not allow";
  }
  return "unknown";
}

}  // namespace assay::restore
