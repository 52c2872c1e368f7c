#include <assay/os/cli/catalogue.hpp>

namespace assay::os {

// Runs of system calls that libMicro, which is older, does not measure, in the order of the cases'
// names.
std::vector<CatalogueRun> linux_runs() {
  static constexpr CatalogueRuns runs[] = {
      {"clone3", "clone3"},
      {"copy_range_t*", "copy_file_range", "-s * -f @tmp", "4k 100k"},
      {"copy_range_u4k", "copy_file_range", "-s 4k -f @disk"},
      {"epoll_*", "epoll", "-n *", "10 1000"},
      {"epoll_w*0", "epoll", "-n *0 -w *", "1 100"},
      {"eventfd", "eventfd"},
      {"execveat", "execveat"},
      {"futex_wake", "futex_wake"},
      {"futex_handover", "futex_wake", "-w"},
      {"getrandom_*", "getrandom", "-s *", "16 1k"},
      {"uring_read_*4k", "io_uring_read", "-s 4k -f *", "t=@tmp u=@disk z=/dev/zero"},
      {"uring_write_*4k", "io_uring_write", "-s 4k -f *", "t=@tmp u=@disk n=/dev/null"},
      {"membarrier", "membarrier"},
      {"membarrierT2", "membarrier", "-T 2"},
      {"memfd", "memfd"},
      {"openat2_*", "openat2", "-f *", "tmp=@tmp zero=/dev/zero"},
      {"pidfd", "pidfd"},
      {"posix_spawn", "posix_spawn"},
      {"barrier*2", "pthread_barrier", "-* 2", "T P"},
      {"barrierT10", "pthread_barrier", "-T 10"},
      {"sendfile_t*", "sendfile", "-s * -f @tmp", "4k 100k"},
      {"splice_t*", "splice", "-s * -f @tmp", "4k 64k"},
      {"statx_tmp", "statx", "-f @tmp"},
      {"vfork", "vfork"},
  };
  return expanded_runs(runs);
}

}  // namespace assay::os
