// Reads a clock before and after a loop, as a benchmark does, and prints how long that took and
// how much CPU time it used. For these it makes system calls itself, so that a preloaded library
// cannot change what it prints.
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <thread>

namespace {

std::int64_t asked_ns(clockid_t clock) {
  timespec time{};
  syscall(SYS_clock_gettime, clock, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void timed_loop() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const std::int64_t begin = asked_ns(CLOCK_MONOTONIC);
  while (asked_ns(CLOCK_MONOTONIC) < begin + 5'000'000) {
  }
  clock_gettime(CLOCK_MONOTONIC, &time);
}

void in_threads() {
  std::thread one(timed_loop);
  std::thread other(timed_loop);
  one.join();
  other.join();
}

void in_child() {
  const pid_t child = fork();
  if (child == 0) {
    timed_loop();
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}

}  // namespace

int main(int count, char** words) {
  const std::string_view how = count > 1 ? words[1] : "loop";
  if (how == "exec") execl(words[0], words[0], "loop", nullptr);
  const std::int64_t begin = asked_ns(CLOCK_MONOTONIC);
  const std::int64_t used = asked_ns(CLOCK_PROCESS_CPUTIME_ID);
  if (how == "threads") in_threads();
  if (how == "fork") in_child();
  if (how == "loop") timed_loop();
  std::printf("%lld %lld\n", static_cast<long long>(asked_ns(CLOCK_MONOTONIC) - begin),
              static_cast<long long>(asked_ns(CLOCK_PROCESS_CPUTIME_ID) - used));
  return 0;
}
