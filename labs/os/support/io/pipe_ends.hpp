// Purpose: the two ends of a connection over a pipe, a FIFO, a socket pair or TCP.
//
//   auto ends = PipeEnds::make(transport, path);
//   write(ends->here.out ...)  arrives at  read(ends->there.in ...),  and the other way round
//
// Thread safety: one owner; each PipeEnd is used by one thread. Cost: made before measuring.
#pragma once

#include <assay/os/harness/case.hpp>
#include <assay/system/file_descriptor.hpp>

#include <memory>

namespace assay::os {

enum class Transport : std::uint8_t { pipe, fifo, sock, tcp };

/// The descriptors from which one side reads and to which it writes; the same one where it is a
/// socket.
struct PipeEnd {
  std::shared_ptr<FileDescriptor> in;
  std::shared_ptr<FileDescriptor> out;

  /// Moves exactly `bytes` bytes; an Error on failure, also when the other side has closed.
  [[nodiscard]] Status send(const char* from, std::size_t bytes) const;
  [[nodiscard]] Status receive(char* to, std::size_t bytes) const;
};

struct PipeEnds {
  PipeEnd here;
  PipeEnd there;

  static Result<PipeEnds> make(Transport transport, const std::string& path);
};

Result<Transport> transport_named(const std::string& name);

}  // namespace assay::os
