// MessagePack, by the C library; a record is an array of its fields.
#include <assay/primitives/serialization/serialization_group.hpp>

#include <msgpack.h>

#include <span>

namespace assay::primitives {
namespace {

class Packer {
 public:
  Packer() {
    msgpack_sbuffer_init(&buffer_);
    msgpack_packer_init(&packer_, &buffer_, msgpack_sbuffer_write);
  }
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
  ~Packer() { msgpack_sbuffer_destroy(&buffer_); }

  void clear() { msgpack_sbuffer_clear(&buffer_); }
  [[nodiscard]] std::string_view bytes() const { return {buffer_.data, buffer_.size}; }

  void array(std::size_t size) { msgpack_pack_array(&packer_, size); }
  void number(std::uint64_t value) { msgpack_pack_uint64(&packer_, value); }
  void real(double value) { msgpack_pack_double(&packer_, value); }
  void text(std::string_view text) {
    msgpack_pack_str(&packer_, text.size());
    msgpack_pack_str_body(&packer_, text.data(), text.size());
  }
  void data(std::string_view bytes) {
    msgpack_pack_bin(&packer_, bytes.size());
    msgpack_pack_bin_body(&packer_, bytes.data(), bytes.size());
  }

 private:
  msgpack_sbuffer buffer_{};
  msgpack_packer packer_{};
};

void pack(Packer& packer, const MutationBatch& batch) {
  packer.array(2);
  packer.number(batch.version);
  packer.array(batch.mutations.size());
  for (const Mutation& mutation : batch.mutations) {
    packer.array(3);
    packer.number(mutation.type);
    packer.data(mutation.param1);
    packer.data(mutation.param2);
  }
}

void pack(Packer& packer, const Item& item) {
  packer.array(4);
  packer.text(item.sku);
  packer.number(item.count);
  packer.real(item.price);
  packer.array(item.attributes.size());
  for (const Attribute& attribute : item.attributes) {
    packer.array(2);
    packer.text(attribute.key);
    packer.text(attribute.value);
  }
}

void pack(Packer& packer, const Order& order) {
  packer.array(6);
  packer.number(order.id);
  packer.real(order.placed_at_s);
  packer.text(order.customer);
  packer.array(3);
  packer.text(order.address.street);
  packer.text(order.address.city);
  packer.number(order.address.postcode);
  packer.array(order.tags.size());
  for (const std::string& tag : order.tags) packer.text(tag);
  packer.array(order.items.size());
  for (const Item& item : order.items) pack(packer, item);
}

/// The elements of an array; none where the object is no array.
std::span<const msgpack_object> parts_of(const msgpack_object& object) {
  if (object.type != MSGPACK_OBJECT_ARRAY) return {};
  return {object.via.array.ptr, object.via.array.size};
}

/// Passes an integer field to the sink. False where the field is of another type.
template <class Sink>
bool number(const msgpack_object& object, Sink& sink) {
  if (object.type != MSGPACK_OBJECT_POSITIVE_INTEGER) return false;
  sink.number(object.via.u64);
  return true;
}

template <class Sink>
bool real(const msgpack_object& object, Sink& sink) {
  if (object.type != MSGPACK_OBJECT_FLOAT64) return false;
  sink.real(object.via.f64);
  return true;
}

template <class Sink>
bool text(const msgpack_object& object, Sink& sink) {
  if (object.type != MSGPACK_OBJECT_STR) return false;
  sink.text({object.via.str.ptr, object.via.str.size});
  return true;
}

template <class Sink>
bool data(const msgpack_object& object, Sink& sink) {
  if (object.type != MSGPACK_OBJECT_BIN) return false;
  sink.text({object.via.bin.ptr, object.via.bin.size});
  return true;
}

/// Passes the number of elements of an array to the sink, then each element by `give`.
template <class Sink, class Give>
bool all(const msgpack_object& array, Sink& sink, const Give& give) {
  const auto parts = parts_of(array);
  sink.number(parts.size());
  for (const msgpack_object& part : parts) {
    if (!give(part)) return false;
  }
  return true;
}

template <class Sink>
bool give(const msgpack_object& batch, std::type_identity<MutationBatch> /*kind*/, Sink& sink) {
  const auto fields = parts_of(batch);
  return fields.size() == 2 && number(fields[0], sink) &&
         all(fields[1], sink, [&sink](const msgpack_object& mutation) {
           const auto parts = parts_of(mutation);
           return parts.size() == 3 && number(parts[0], sink) && data(parts[1], sink) &&
                  data(parts[2], sink);
         });
}

template <class Sink>
bool give(const msgpack_object& item, std::type_identity<Item> /*kind*/, Sink& sink) {
  const auto fields = parts_of(item);
  return fields.size() == 4 && text(fields[0], sink) && number(fields[1], sink) &&
         real(fields[2], sink) && all(fields[3], sink, [&sink](const msgpack_object& attribute) {
           const auto parts = parts_of(attribute);
           return parts.size() == 2 && text(parts[0], sink) && text(parts[1], sink);
         });
}

template <class Sink>
bool give(const msgpack_object& order, std::type_identity<Order> /*kind*/, Sink& sink) {
  const auto fields = parts_of(order);
  if (fields.size() != 6) return false;
  const auto address = parts_of(fields[3]);
  return number(fields[0], sink) && real(fields[1], sink) && text(fields[2], sink) &&
         address.size() == 3 && text(address[0], sink) && text(address[1], sink) &&
         number(address[2], sink) &&
         all(fields[4], sink, [&sink](const msgpack_object& tag) { return text(tag, sink); }) &&
         all(fields[5], sink, [&sink](const msgpack_object& item) {
           return give(item, std::type_identity<Item>(), sink);
         });
}

class MsgPack {
 public:
  static constexpr std::string_view name = "SerializationType::MsgPack";

  MsgPack() { msgpack_unpacked_init(&unpacked_); }
  MsgPack(const MsgPack&) = delete;
  MsgPack& operator=(const MsgPack&) = delete;
  ~MsgPack() { msgpack_unpacked_destroy(&unpacked_); }

  template <class Record>
  std::string_view encode(const Record& record) {
    packer_.clear();
    pack(packer_, record);
    return packer_.bytes();
  }

  template <class Record, class Sink>
  bool decode(std::string_view bytes, std::type_identity<Record> kind, Sink& sink) {
    std::size_t offset = 0;
    const auto found = msgpack_unpack_next(&unpacked_, bytes.data(), bytes.size(), &offset);
    return found == MSGPACK_UNPACK_SUCCESS && give(unpacked_.data, kind, sink);
  }

 private:
  Packer packer_;
  msgpack_unpacked unpacked_{};
};

}  // namespace

const OptionalPart msgpack_part([](Group& group) { add_format<MsgPack>(group); });

}  // namespace assay::primitives
