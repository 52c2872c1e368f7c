// seccomp_run N PROGRAM [ARGUMENT]...: runs PROGRAM behind a seccomp filter of N instructions,
// which lets every call pass. Shows what each call pays for the length of a filter.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

namespace {

// Loads the call's number and compares it with numbers no call has; then allows it.
// A filter that never looks at the call's arguments would be answered from a bitmap, without
// being run (Linux 5.11 and later), so it loads an argument as well.
std::vector<sock_filter> make_filter(std::size_t length) {
  std::vector<sock_filter> filter;
  filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)));
  while (filter.size() + 1 < length) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0xdead0000U, 0, 0));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  return filter;
}

bool install(std::vector<sock_filter>& filter) {
  const sock_fprog program{.len = static_cast<unsigned short>(filter.size()),
                           .filter = filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

int fail(const char* what) {
  std::fprintf(stderr, "seccomp_run: %s: %s\n", what, std::strerror(errno));
  return 2;
}

}  // namespace

int main(int count, char** words) {
  std::size_t length = 0;
  const std::string_view number = count > 2 ? words[1] : "";
  std::from_chars(number.data(), number.data() + number.size(), length);
  if (length < 2 || length > BPF_MAXINSNS) {
    std::fprintf(stderr, "usage: seccomp_run N PROGRAM [ARGUMENT]..., N from 2 to %d\n",
                 BPF_MAXINSNS);
    return 2;
  }
  std::vector<sock_filter> filter = make_filter(length);
  if (!install(filter)) return fail("the filter was refused");
  execvp(words[2], words + 2);
  return fail(words[2]);
}
