#include <assay/primitives/transport/transport_drivers.hpp>
#include <assay/primitives/transport/transport_group.hpp>

#include <gtest/gtest.h>
#include <sys/socket.h>

namespace assay::primitives {
namespace {

/// Broken on purpose: a transport that lets `Spoil` change what the server writes.
template <class Spoil>
struct Spoilt {
  struct End : DescriptorEnd {
    End(DescriptorEnd end, bool spoils) : DescriptorEnd(std::move(end)), spoils_(spoils) {}
    std::ptrdiff_t write_some(std::span<const std::byte> bytes) {
      if (!spoils_) return DescriptorEnd::write_some(bytes);
      return Spoil::write(*this, bytes);
    }

   private:
    bool spoils_;
  };

  static Result<Connection<End>> connect() {
    auto made = TransportType::UnixSocket::connect();
    if (!made) return made.error();
    const Connection<DescriptorEnd> sound = std::move(made).value();
    Connection<End> ends;
    ends.client = std::make_unique<End>(std::move(*sound.client), false);
    ends.server = std::make_unique<End>(std::move(*sound.server), true);
    return ends;
  }
};

struct FlipsTheLastByte {
  static std::ptrdiff_t write(DescriptorEnd& end, std::span<const std::byte> bytes) {
    std::vector<std::byte> flipped(bytes.begin(), bytes.end());
    flipped.back() ^= std::byte{1};
    return end.write_some(flipped);
  }
};

struct LosesHalf {
  static std::ptrdiff_t write(DescriptorEnd& end, std::span<const std::byte> bytes) {
    shutdown(end.out(), SHUT_WR);
    return static_cast<std::ptrdiff_t>(bytes.size());
  }
};

struct Refuses {
  using End = DescriptorEnd;
  static Result<Connection<End>> connect() {
    return Error{.what = "socket: Operation not permitted", .where = "transport"};
  }
};

/// Expects that a write whose reader is gone returns 0. Earlier it waited for ever, or SIGPIPE
/// killed the process.
template <class Transport>
void expect_the_end() {
  auto made = Transport::connect();
  ASSERT_TRUE(made);
  auto [client, server] = std::move(made).value();
  const std::vector<std::byte> much(1U << 20U);
  while (server->write_some(much) > 0) continue;
  client.reset();
  EXPECT_EQ(server->write_some(much), 0);
}

TEST(Transports, TellAWriterThatItsReaderIsGone) {
  expect_the_end<TransportType::Tcp>();
  expect_the_end<TransportType::UnixSocket>();
  expect_the_end<TransportType::Pipe>();
  expect_the_end<TransportType::SharedMemory>();
}

TEST(TransportChecks, CatchAByteThatChanged) {
  EXPECT_EQ((check_round_trips<Spoilt<FlipsTheLastByte>, Driver::Polling>()),
            "the echo of a message of 1 bytes is another");
}

TEST(TransportChecks, CatchAnEchoThatIsLost) {
  EXPECT_EQ((check_round_trips<Spoilt<LosesHalf>, Driver::Polling>()),
            "the connection ended in the middle of a message of 1 bytes");
}

TEST(TransportChecks, SayWhyThereIsNoConnection) {
  EXPECT_EQ((check_round_trips<Refuses, Driver::Epoll>()),
            "transport: socket: Operation not permitted");
}

}  // namespace
}  // namespace assay::primitives
