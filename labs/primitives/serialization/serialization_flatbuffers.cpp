// FlatBuffers: read without decoding, after a check that every offset stays within the bytes.
#include <assay/primitives/serialization/serialization_group.hpp>

#include <records_generated.h>

namespace assay::primitives {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

const std::uint8_t* as_bytes(const char* text) {
  return static_cast<const std::uint8_t*>(static_cast<const void*>(text));
}

auto vector_of(FlatBufferBuilder& builder, const std::string& bytes) {
  return builder.CreateVector(as_bytes(bytes.data()), bytes.size());
}

Offset<fb::Batch> build(FlatBufferBuilder& builder, const MutationBatch& batch) {
  std::vector<Offset<fb::Mutation>> mutations;
  mutations.reserve(batch.mutations.size());
  for (const Mutation& mutation : batch.mutations) {
    const auto param1 = vector_of(builder, mutation.param1);
    const auto param2 = vector_of(builder, mutation.param2);
    mutations.push_back(fb::CreateMutation(builder, mutation.type, param1, param2));
  }
  return fb::CreateBatch(builder, batch.version, builder.CreateVector(mutations));
}

Offset<fb::Item> build(FlatBufferBuilder& builder, const Item& item) {
  std::vector<Offset<fb::Attribute>> attributes;
  attributes.reserve(item.attributes.size());
  for (const Attribute& attribute : item.attributes) {
    const auto key = builder.CreateString(attribute.key);
    const auto value = builder.CreateString(attribute.value);
    attributes.push_back(fb::CreateAttribute(builder, key, value));
  }
  const auto sku = builder.CreateString(item.sku);
  return fb::CreateItem(builder, sku, item.count, item.price, builder.CreateVector(attributes));
}

Offset<fb::Order> build(FlatBufferBuilder& builder, const Order& order) {
  std::vector<Offset<fb::Item>> items;
  items.reserve(order.items.size());
  for (const Item& item : order.items) items.push_back(build(builder, item));
  const auto street = builder.CreateString(order.address.street);
  const auto city = builder.CreateString(order.address.city);
  const auto address = fb::CreateAddress(builder, street, city, order.address.postcode);
  const auto customer = builder.CreateString(order.customer);
  const auto tags = builder.CreateVectorOfStrings(order.tags);
  return fb::CreateOrder(builder, order.id, order.placed_at_s, customer, address, tags,
                         builder.CreateVector(items));
}

std::string_view view_of(const flatbuffers::String& text) {
  return text.string_view();
}
std::string_view view_of(const flatbuffers::Vector<std::uint8_t>& bytes) {
  return {static_cast<const char*>(static_cast<const void*>(bytes.data())), bytes.size()};
}

template <class Sink>
void give(const fb::Batch& batch, Sink& sink) {
  sink.number(batch.version());
  sink.number(batch.mutations()->size());
  for (const fb::Mutation* mutation : *batch.mutations()) {
    sink.number(mutation->type());
    sink.text(view_of(*mutation->param1()));
    sink.text(view_of(*mutation->param2()));
  }
}

template <class Sink>
void give(const fb::Item& item, Sink& sink) {
  sink.text(view_of(*item.sku()));
  sink.number(item.count());
  sink.real(item.price());
  sink.number(item.attributes()->size());
  for (const fb::Attribute* attribute : *item.attributes()) {
    sink.text(view_of(*attribute->key()));
    sink.text(view_of(*attribute->value()));
  }
}

template <class Sink>
void give(const fb::Order& order, Sink& sink) {
  sink.number(order.id());
  sink.real(order.placed_at_s());
  sink.text(view_of(*order.customer()));
  sink.text(view_of(*order.address()->street()));
  sink.text(view_of(*order.address()->city()));
  sink.number(order.address()->postcode());
  sink.number(order.tags()->size());
  for (const flatbuffers::String* tag : *order.tags()) sink.text(view_of(*tag));
  sink.number(order.items()->size());
  for (const fb::Item* item : *order.items()) give(*item, sink);
}

class FlatBuffers {
 public:
  static constexpr std::string_view name = "SerializationType::FlatBuffers";

  template <class Record>
  std::string_view encode(const Record& record) {
    builder_.Clear();
    builder_.Finish(build(builder_, record));
    return {static_cast<const char*>(static_cast<const void*>(builder_.GetBufferPointer())),
            builder_.GetSize()};
  }

  template <class Record, class Sink>
  bool decode(std::string_view bytes, std::type_identity<Record> /*kind*/, Sink& sink) {
    using Table = std::conditional_t<std::is_same_v<Record, Order>, fb::Order, fb::Batch>;
    flatbuffers::Verifier verifier(as_bytes(bytes.data()), bytes.size());
    if (!verifier.VerifyBuffer<Table>(nullptr)) return false;
    give(*flatbuffers::GetRoot<Table>(bytes.data()), sink);
    return true;
  }

 private:
  FlatBufferBuilder builder_;
};

}  // namespace

const OptionalPart flatbuffers_part([](Group& group) { add_format<FlatBuffers>(group); });

}  // namespace assay::primitives
