// Round trip of a message: to a thread (mt) or a process (mp) and back; with st, one way to the
// same thread.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/pipe_ends.hpp>
#include <assay/os/support/page_buffer.hpp>
#include <assay/system/child_process.hpp>

#include <unistd.h>

#include <csignal>
#include <thread>

namespace assay::os {
namespace {

constexpr std::int64_t pipe_holds_bytes = 65536;

// Sends back what it receives until the other end is closed.
void echo(const PipeEnd& end, std::int64_t bytes) {
  PageBuffer buffer(bytes);
  const auto size = static_cast<std::size_t>(bytes);
  while (end.receive(buffer.begin(), size) && end.send(buffer.begin(), size)) {
  }
}

class Pipe final : public Work {
 public:
  static Made<Pipe> make(const Setting& setting, const WorkerId& worker) {
    const std::string& mode = setting.text('m');
    if (mode != "st" && mode != "mt" && mode != "mp") {
      return Error{"no such mode", "-m " + mode, "there are st, mt and mp"};
    }
    if (mode == "st" && setting.number('s') > pipe_holds_bytes) {
      return Error{"more than a pipe holds", "-s", "64k at most with -m st"};
    }
    const auto transport = transport_named(setting.text('x'));
    if (!transport) return transport.error();
    auto ends =
        PipeEnds::make(*transport, setting.memory_folder + "/fifo-" + std::to_string(worker.index));
    if (!ends) return ends.error();
    auto made = std::make_unique<Pipe>(std::move(ends).value(), setting.number('s'));
    if (mode == "mt") made->start_thread();
    if (mode != "mp") return made;
    Pipe& pipe = *made;
    return pipe.start_process(std::move(made));
  }
  Pipe(const PipeEnds& ends, std::int64_t bytes)
      : here_(ends.here),
        there_(ends.there),
        alone_in_(ends.there),
        bytes_(bytes),
        buffer_(bytes) {}

  ~Pipe() override {
    here_ = {};
    alone_in_ = {};
    there_ = {};
    if (thread_.joinable()) thread_.join();
    end_child(child_);
  }

  Status run(Calls calls) override {
    const auto size = static_cast<std::size_t>(bytes_);
    const PipeEnd& listening = alone_in_.in ? alone_in_ : here_;
    for (Calls i = 0; i < calls; ++i) {
      if (Status done = here_.send(buffer_.begin(), size); !done) return done;
      if (Status done = listening.receive(buffer_.begin(), size); !done) return done;
    }
    return {};
  }

 private:
  void start_thread() {
    alone_in_ = {};
    thread_ = std::thread([end = std::move(there_), bytes = bytes_] { echo(end, bytes); });
    there_ = {};
  }

  // Forks the child that echoes. The child must close its copy of our end: otherwise it never reads
  // end-of-file.
  Made<Pipe> start_process(std::unique_ptr<Pipe> self) {
    alone_in_ = {};
    child_ = fork_tied();
    if (child_ < 0) return failed("fork");
    if (child_ == 0) {
      here_ = {};
      echo(there_, bytes_);
      _exit(0);
    }
    there_ = {};
    return self;
  }

  PipeEnd here_;
  PipeEnd there_;
  PipeEnd alone_in_;  // with -m st, the other end, at which this thread itself receives
  const std::int64_t bytes_;
  PageBuffer buffer_;
  std::thread thread_;
  pid_t child_{0};
};

}  // namespace

Case pipe_case() {
  return {.name = "pipe",
          .summary = "a message to another thread or process and back",
          .options = {text('m', "mode", "st", "st: to oneself, mt: a thread, mp: a process"),
                      number('s', "size", "1k", "bytes in the message"),
                      text('x', "transport", "pipe", "pipe, fifo, sock or tcp")},
          .stage = each<Pipe>};
}

}  // namespace assay::os
