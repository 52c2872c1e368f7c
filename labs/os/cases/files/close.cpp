// close of a file that prepare opened; with -b of a descriptor nobody opened.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/descriptors.hpp>

#include <fcntl.h>
#include <unistd.h>

namespace assay::os {
namespace {

class Close final : public Work {
 public:
  Close(const Setting& setting, const WorkerId& /*worker*/)
      : path_(setting.text('f')), threads_(setting.threads) {}

  [[nodiscard]] Calls most_calls() const override { return calls_for_descriptors(1, threads_); }

  Status prepare(Calls calls) override {
    open_.clear();
    for (Calls i = 0; i < calls; ++i) {
      const int number = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
      if (number < 0) return failed("open " + path_);
      open_.push_back(number);
    }
    return {};
  }

  Status run(Calls /*calls*/) override {
    for (const int number : open_) {
      if (close(number) != 0) return failed("close");
    }
    return {};
  }

 private:
  const std::string path_;
  const int threads_;
  std::vector<int> open_;
};

class CloseBad final : public Work {
 public:
  Status run(Calls calls) override {
    constexpr int nobodys = 1 << 24;
    for (Calls i = 0; i < calls; ++i) {
      if (close(nobodys) == 0) return Error{"a descriptor nobody opened was closed"};
    }
    return {};
  }
};

Made<CaseFixture> close_or_bad(const Setting& setting) {
  return setting.flag('b') ? each<CloseBad>(setting) : each<Close>(setting);
}

}  // namespace

Case close_case() {
  return {.name = "close",
          .summary = "close() of a file",
          .options = {text('f', "file", "/dev/null", "file that is closed"),
                      flag('b', "bad", "a descriptor nobody opened")},
          .stage = close_or_bad};
}

}  // namespace assay::os
