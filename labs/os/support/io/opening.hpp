// Purpose: cases whose calls each give a new descriptor: open, socket, memfd_create and the like.
//
//   struct OpenFile { int operator()() const; };     // -1 and errno when it fails
//   .stage = each<Opening<OpenFile>>                 // made with OpenFile(setting)
//
// Thread safety: one owner. Cost: a store for each call; closing is untimed.
#pragma once

#include <assay/os/support/descriptors.hpp>

#include <unistd.h>

#include <cerrno>

namespace assay::os {

template <class Open>
class Opening final : public Work {
 public:
  static Made<Opening> make(const Setting& setting) {
    Open open(setting);
    const FileDescriptor attempt(open());
    if (!attempt && errno == ENOSYS) return host_lacks("the kernel has no " + open.name());
    if (!attempt && errno == EPERM) return host_lacks(open.name() + " is not permitted here");
    if (!attempt) return failed(open.name());
    return std::make_unique<Opening>(std::move(open), setting.threads);
  }
  Opening(Open open, int threads) : open_(std::move(open)), threads_(threads) {}

  [[nodiscard]] Calls most_calls() const override { return calls_for_descriptors(1, threads_); }

  Status prepare(Calls calls) override {
    opened_.assign(static_cast<std::size_t>(calls), -1);
    return {};
  }

  Status run(Calls /*calls*/) override {
    for (int& one : opened_) {
      one = open_();
      if (one < 0) return failed(open_.name());
    }
    return {};
  }

  Status undo(Calls /*calls*/) override {
    for (const int one : opened_) close(one);
    return {};
  }

 private:
  const Open open_;
  const int threads_;
  std::vector<int> opened_;
};

}  // namespace assay::os
