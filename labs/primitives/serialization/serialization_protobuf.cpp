// Protocol Buffers. Messages are kept from call to call, as its guide advises.
#include <assay/primitives/serialization/serialization_group.hpp>

#include <records.pb.h>

namespace assay::primitives {
namespace {

void fill(pb::Batch& message, const MutationBatch& batch) {
  message.set_version(batch.version);
  for (const Mutation& mutation : batch.mutations) {
    pb::Mutation& added = *message.add_mutations();
    added.set_type(mutation.type);
    added.set_param1(mutation.param1);
    added.set_param2(mutation.param2);
  }
}

void fill(pb::Item& message, const Item& item) {
  message.set_sku(item.sku);
  message.set_count(item.count);
  message.set_price(item.price);
  for (const Attribute& attribute : item.attributes) {
    pb::Attribute& added = *message.add_attributes();
    added.set_key(attribute.key);
    added.set_value(attribute.value);
  }
}

void fill(pb::Order& message, const Order& order) {
  message.set_id(order.id);
  message.set_placed_at_s(order.placed_at_s);
  message.set_customer(order.customer);
  message.mutable_address()->set_street(order.address.street);
  message.mutable_address()->set_city(order.address.city);
  message.mutable_address()->set_postcode(order.address.postcode);
  for (const std::string& tag : order.tags) message.add_tags(tag);
  for (const Item& item : order.items) fill(*message.add_items(), item);
}

template <class Sink>
void give(const pb::Batch& batch, Sink& sink) {
  sink.number(batch.version());
  sink.number(static_cast<std::uint64_t>(batch.mutations_size()));
  for (const pb::Mutation& mutation : batch.mutations()) {
    sink.number(mutation.type());
    sink.text(mutation.param1());
    sink.text(mutation.param2());
  }
}

template <class Sink>
void give(const pb::Item& item, Sink& sink) {
  sink.text(item.sku());
  sink.number(item.count());
  sink.real(item.price());
  sink.number(static_cast<std::uint64_t>(item.attributes_size()));
  for (const pb::Attribute& attribute : item.attributes()) {
    sink.text(attribute.key());
    sink.text(attribute.value());
  }
}

template <class Sink>
void give(const pb::Order& order, Sink& sink) {
  sink.number(order.id());
  sink.real(order.placed_at_s());
  sink.text(order.customer());
  sink.text(order.address().street());
  sink.text(order.address().city());
  sink.number(order.address().postcode());
  sink.number(static_cast<std::uint64_t>(order.tags_size()));
  for (const std::string& tag : order.tags()) sink.text(tag);
  sink.number(static_cast<std::uint64_t>(order.items_size()));
  for (const pb::Item& item : order.items()) give(item, sink);
}

class Protobuf {
 public:
  static constexpr std::string_view name = "SerializationType::Protobuf";

  template <class Record>
  std::string_view encode(const Record& record) {
    auto& message = message_of(std::type_identity<Record>());
    message.Clear();
    fill(message, record);
    message.SerializeToString(&buffer_);
    return buffer_;
  }

  template <class Record, class Sink>
  bool decode(std::string_view bytes, std::type_identity<Record> kind, Sink& sink) {
    auto& message = message_of(kind);
    if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return false;
    give(message, sink);
    return true;
  }

 private:
  pb::Batch& message_of(std::type_identity<MutationBatch> /*kind*/) { return batch_; }
  pb::Order& message_of(std::type_identity<Order> /*kind*/) { return order_; }

  pb::Batch batch_;
  pb::Order order_;
  std::string buffer_;
};

}  // namespace

const OptionalPart protobuf_part([](Group& group) { add_format<Protobuf>(group); });

}  // namespace assay::primitives
