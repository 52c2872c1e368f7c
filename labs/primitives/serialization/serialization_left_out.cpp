// Empty functions for the formats whose library was not found.
#include <assay/primitives/serialization/serialization_group.hpp>

namespace assay::primitives {

#ifdef ASSAY_SUITE_NO_FLATBUFFERS
void add_flatbuffers(Group& /*group*/) {}
#endif
#ifdef ASSAY_SUITE_NO_PROTOBUF
void add_protobuf(Group& /*group*/) {}
#endif
#ifdef ASSAY_SUITE_NO_CAPNPROTO
void add_capnproto(Group& /*group*/) {}
#endif
#ifdef ASSAY_SUITE_NO_MSGPACK
void add_msgpack(Group& /*group*/) {}
#endif

}  // namespace assay::primitives
