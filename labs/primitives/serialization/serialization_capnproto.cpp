// Cap'n Proto: records are built in the format that is sent, and read without decoding.
#include <assay/primitives/serialization/serialization_group.hpp>

#include <capnp/message.h>
#include <capnp/serialize.h>
#include <kj/io.h>
#include <records.capnp.h>

namespace assay::primitives {
namespace {

kj::ArrayPtr<const kj::byte> data_of(const std::string& bytes) {
  return {static_cast<const kj::byte*>(static_cast<const void*>(bytes.data())), bytes.size()};
}

kj::StringPtr text_of(const std::string& text) {
  return {text.data(), text.size()};
}

std::string_view view_of(capnp::Data::Reader bytes) {
  return {static_cast<const char*>(static_cast<const void*>(bytes.begin())), bytes.size()};
}

std::string_view view_of(capnp::Text::Reader text) {
  return {text.begin(), text.size()};
}

unsigned count_of(std::size_t count) {
  return static_cast<unsigned>(count);
}

void fill(cp::Batch::Builder message, const MutationBatch& batch) {
  message.setVersion(batch.version);
  auto mutations = message.initMutations(count_of(batch.mutations.size()));
  for (unsigned i = 0; i < mutations.size(); ++i) {
    const Mutation& mutation = batch.mutations[i];
    auto added = mutations[i];
    added.setType(mutation.type);
    added.setParam1(data_of(mutation.param1));
    added.setParam2(data_of(mutation.param2));
  }
}

void fill(cp::Item::Builder message, const Item& item) {
  message.setSku(text_of(item.sku));
  message.setCount(item.count);
  message.setPrice(item.price);
  auto attributes = message.initAttributes(count_of(item.attributes.size()));
  for (unsigned i = 0; i < attributes.size(); ++i) {
    attributes[i].setKey(text_of(item.attributes[i].key));
    attributes[i].setValue(text_of(item.attributes[i].value));
  }
}

void fill(cp::Order::Builder message, const Order& order) {
  message.setId(order.id);
  message.setPlacedAtS(order.placed_at_s);
  message.setCustomer(text_of(order.customer));
  auto address = message.initAddress();
  address.setStreet(text_of(order.address.street));
  address.setCity(text_of(order.address.city));
  address.setPostcode(order.address.postcode);
  auto tags = message.initTags(count_of(order.tags.size()));
  for (unsigned i = 0; i < tags.size(); ++i) tags.set(i, text_of(order.tags[i]));
  auto items = message.initItems(count_of(order.items.size()));
  for (unsigned i = 0; i < items.size(); ++i) fill(items[i], order.items[i]);
}

template <class Sink>
void give(cp::Batch::Reader batch, Sink& sink) {
  sink.number(batch.getVersion());
  sink.number(batch.getMutations().size());
  for (const auto mutation : batch.getMutations()) {
    sink.number(mutation.getType());
    sink.text(view_of(mutation.getParam1()));
    sink.text(view_of(mutation.getParam2()));
  }
}

template <class Sink>
void give(cp::Item::Reader item, Sink& sink) {
  sink.text(view_of(item.getSku()));
  sink.number(item.getCount());
  sink.real(item.getPrice());
  sink.number(item.getAttributes().size());
  for (const auto attribute : item.getAttributes()) {
    sink.text(view_of(attribute.getKey()));
    sink.text(view_of(attribute.getValue()));
  }
}

template <class Sink>
void give(cp::Order::Reader order, Sink& sink) {
  sink.number(order.getId());
  sink.real(order.getPlacedAtS());
  sink.text(view_of(order.getCustomer()));
  const auto address = order.getAddress();
  sink.text(view_of(address.getStreet()));
  sink.text(view_of(address.getCity()));
  sink.number(address.getPostcode());
  sink.number(order.getTags().size());
  for (const auto tag : order.getTags()) sink.text(view_of(tag));
  sink.number(order.getItems().size());
  for (const auto item : order.getItems()) give(item, sink);
}

class CapnProto {
 public:
  static constexpr std::string_view name = "SerializationType::CapnProto";

  template <class Record>
  std::string_view encode(const Record& record) {
    capnp::MallocMessageBuilder message({segment_.data(), segment_.size()});
    fill(message.initRoot<Root<Record>>(), record);
    buffer_.resize(capnp::computeSerializedSizeInWords(message) * sizeof(capnp::word));
    kj::ArrayOutputStream out(
        {static_cast<kj::byte*>(static_cast<void*>(buffer_.data())), buffer_.size()});
    capnp::writeMessage(out, message);
    return buffer_;
  }

  template <class Record, class Sink>
  bool decode(std::string_view bytes, std::type_identity<Record> /*kind*/, Sink& sink) {
    // Both callers' buffers are on the heap, which aligns them as capnp::word requires.
    const void* const place = bytes.data();
    capnp::FlatArrayMessageReader message(
        {static_cast<const capnp::word*>(place), bytes.size() / sizeof(capnp::word)});
    give(message.getRoot<Root<Record>>(), sink);
    return true;
  }

 private:
  template <class Record>
  using Root = std::conditional_t<std::is_same_v<Record, Order>, cp::Order, cp::Batch>;

  /// Memory for the first segment of each message, reused; the message's destructor zeroes what it
  /// used.
  std::vector<capnp::word> segment_ = std::vector<capnp::word>(1'024);
  std::string buffer_;
};

}  // namespace

const OptionalPart capnproto_part([](Group& group) { add_format<CapnProto>(group); });

}  // namespace assay::primitives
