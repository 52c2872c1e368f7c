#include <assay/os/cli/catalogue.hpp>

namespace assay::os {

// System calls that came after libMicro, in order of their cases' names.
std::vector<CatalogueRun> linux_runs() {
  return {
      {"clone3", "clone3", ""},
      {"copy_range_t4k", "copy_file_range", "-s 4k -f @tmp"},
      {"copy_range_t100k", "copy_file_range", "-s 100k -f @tmp"},
      {"copy_range_u4k", "copy_file_range", "-s 4k -f @disk"},
      {"epoll_10", "epoll", "-n 10"},
      {"epoll_1000", "epoll", "-n 1000"},
      {"epoll_w10", "epoll", "-n 10 -w 1"},
      {"epoll_w1000", "epoll", "-n 1000 -w 100"},
      {"eventfd", "eventfd", ""},
      {"execveat", "execveat", ""},
      {"futex_wake", "futex_wake", ""},
      {"futex_handover", "futex_wake", "-w"},
      {"getrandom_16", "getrandom", "-s 16"},
      {"getrandom_1k", "getrandom", "-s 1k"},
      {"uring_read_t4k", "io_uring_read", "-s 4k -f @tmp"},
      {"uring_read_u4k", "io_uring_read", "-s 4k -f @disk"},
      {"uring_read_z4k", "io_uring_read", "-s 4k -f /dev/zero"},
      {"uring_write_t4k", "io_uring_write", "-s 4k -f @tmp"},
      {"uring_write_u4k", "io_uring_write", "-s 4k -f @disk"},
      {"uring_write_n4k", "io_uring_write", "-s 4k -f /dev/null"},
      {"membarrier", "membarrier", ""},
      {"membarrierT2", "membarrier", "-T 2"},
      {"memfd", "memfd", ""},
      {"openat2_tmp", "openat2", "-f @tmp"},
      {"openat2_zero", "openat2", "-f /dev/zero"},
      {"pidfd", "pidfd", ""},
      {"posix_spawn", "posix_spawn", ""},
      {"barrierT2", "pthread_barrier", "-T 2"},
      {"barrierP2", "pthread_barrier", "-P 2"},
      {"barrierT10", "pthread_barrier", "-T 10"},
      {"sendfile_t4k", "sendfile", "-s 4k -f @tmp"},
      {"sendfile_t100k", "sendfile", "-s 100k -f @tmp"},
      {"splice_t4k", "splice", "-s 4k -f @tmp"},
      {"splice_t64k", "splice", "-s 64k -f @tmp"},
      {"statx_tmp", "statx", "-f @tmp"},
      {"vfork", "vfork", ""},
  };
}

}  // namespace assay::os
