#include <assay/primitives/stream/stream_queues.hpp>

#include <assay/primitives/stream/stream_group.hpp>

namespace assay::primitives {

const OptionalPart queues_part([](Group& group) {
  add_stream<OneThread, ThirdParty::ConcurrentQueue>(group);
  add_stream<TwoThreads, ThirdParty::ConcurrentQueue>(group);
  add_stream<OneThread, ThirdParty::ReaderWriterQueue>(group);
  add_stream<TwoThreads, ThirdParty::ReaderWriterQueue>(group);
  add_stream<OneThread, ThirdParty::TbbBoundedQueue>(group);
  add_stream<TwoThreads, ThirdParty::TbbBoundedQueue>(group);
});

}  // namespace assay::primitives
