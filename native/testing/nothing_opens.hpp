// Purpose (tests only): while it lives, the process can open nothing: neither can it lock a folder.
//
//   const NothingOpens limit;
//   EXPECT_LT(open("/dev/null", O_RDONLY), 0);
//
// Thread safety: one per test, whose process has nothing else to open. Cost: none to any
// measurement.
#pragma once

#include <sys/resource.h>

namespace assay {

class NothingOpens {
 public:
  NothingOpens() {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit none = before_;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NothingOpens() { setrlimit(RLIMIT_NOFILE, &before_); }
  NothingOpens(const NothingOpens&) = delete;
  NothingOpens& operator=(const NothingOpens&) = delete;

 private:
  rlimit before_{};
};

}  // namespace assay
