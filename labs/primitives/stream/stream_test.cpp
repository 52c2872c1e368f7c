#include <assay/primitives/stream/stream_group.hpp>

#include <gtest/gtest.h>

namespace assay::primitives {
namespace {

/// Broken on purpose: sends the 99th message again in place of the hundredth.
struct Losing : StreamType::Deque {
  using StreamType::Deque::Deque;
  bool try_send(const std::string& message) {
    if (++sends_ == 100) return Deque::try_send(last_);
    last_ = message;
    return Deque::try_send(message);
  }

 private:
  int sends_ = 0;
  std::string last_;
};

/// Broken on purpose: gives the last message first.
class Stack {
 public:
  explicit Stack(Shape) {}
  bool try_send(const std::string& message) {
    messages_.push_back(message);
    return true;
  }
  void receive(std::string& into) {
    into = messages_.back();
    messages_.pop_back();
  }

 private:
  std::vector<std::string> messages_;
};

/// Broken on purpose: changes the last byte of each message.
struct Truncating : StreamType::Deque {
  using StreamType::Deque::Deque;
  void receive(std::string& into) {
    Deque::receive(into);
    into.back() = '?';
  }
};

TEST(StreamCheck, CatchesWhatLosesReordersOrAlters) {
  EXPECT_EQ((check_stream<OneThread<Losing, OrderedSink>>()),
            "got 'm98.------------' where 'm99.------------' was next");
  EXPECT_TRUE((check_stream<OneThread<Stack, OrderedSink>>()).has_value());
  EXPECT_TRUE((check_stream<OneThread<Truncating, OrderedSink>>()).has_value());
}

TEST(Stream, APipeTakesNoMoreThanItHolds) {
  StreamType::Pipe pipe(Shape{.items = 65'536, .size = 4'097});
  const std::string message(4'097, 'x');
  std::size_t sent = 0;
  while (sent < 65'536 && pipe.try_send(message)) ++sent;
  EXPECT_GE(sent, 8U);
  EXPECT_LE(sent, 256U);
  std::string into;
  pipe.receive(into);
  EXPECT_EQ(into, message);
  EXPECT_TRUE(pipe.try_send(message));
}

}  // namespace
}  // namespace assay::primitives
