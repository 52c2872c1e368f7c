// Messages from a producer to a consumer. After flowbench's bench_stream.
#include <assay/primitives/stream/stream_group.hpp>

namespace assay::primitives {

Group group() {
  Group group;
  add_stream<OneThread, StreamType::Deque>(group);
  add_stream<OneThread, StreamType::MutexAndCondition>(group);
  add_stream<TwoThreads, StreamType::MutexAndCondition>(group);
  add_stream<OneThread, StreamType::EventFd>(group);
  add_stream<TwoThreads, StreamType::EventFd>(group);
  add_stream<OneThread, StreamType::Pipe>(group);
  add_stream<TwoThreads, StreamType::Pipe>(group);
  add_optional_parts(group);
  return group;
}

}  // namespace assay::primitives
