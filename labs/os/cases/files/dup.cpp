// dup of an open file.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/descriptors.hpp>

#include <fcntl.h>
#include <unistd.h>

namespace assay::os {
namespace {

class Dup final : public Work {
 public:
  static Made<Dup> make(const Setting& setting, const WorkerId& /*worker*/) {
    return made_of<Dup>(open_file(setting.text('f'), O_RDONLY), setting.threads);
  }
  Dup(FileDescriptor file, int threads) : file_(std::move(file)), threads_(threads) {}

  [[nodiscard]] Calls most_calls() const override { return calls_for_descriptors(1, threads_); }

  Status prepare(Calls calls) override {
    made_.assign(static_cast<std::size_t>(calls), -1);
    return {};
  }

  Status run(Calls /*calls*/) override {
    for (int& copy : made_) {
      copy = dup(file_.number());
      if (copy < 0) return failed("dup");
    }
    return {};
  }

  Status undo(Calls /*calls*/) override {
    for (const int copy : made_) close(copy);
    return {};
  }

 private:
  const FileDescriptor file_;
  const int threads_;
  std::vector<int> made_;
};

}  // namespace

Case dup_case() {
  return {.name = "dup",
          .summary = "dup() of an open file",
          .options = {text('f', "file", "/dev/null", "file that is open")},
          .stage = each<Dup>};
}

}  // namespace assay::os
