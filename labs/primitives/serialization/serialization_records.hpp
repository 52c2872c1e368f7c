// Purpose: what the `serialization` group writes and reads: a batch of mutations, which are mostly
// bytes, and a nested business record.
//
//   const MutationBatch batch = make_batch(1'024);
//   walk(batch, sink);   // sink.number(8), sink.real(2.5), sink.text("..."): every field
//
// A format's decoder gives fields in the same order, so it has read every field correctly when its
// sink saw the same as that of walk(). Thread safety: values. Cost: none to measurements.
#pragma once

#include <assay/base/random.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace assay::primitives {

struct Mutation {
  std::uint32_t type = 0;  // 0: set key param1 to value param2; 1: clear keys from param1 to param2
  std::string param1;
  std::string param2;
};

struct MutationBatch {
  std::uint64_t version = 0;
  std::vector<Mutation> mutations;
};

struct Address {
  std::string street;
  std::string city;
  std::uint32_t postcode = 0;
};

struct Attribute {
  std::string key;
  std::string value;
};

struct Item {
  std::string sku;
  std::uint32_t count = 0;
  double price = 0;
  std::vector<Attribute> attributes;
};

struct Order {
  std::uint64_t id = 0;
  double placed_at_s = 0;
  std::string customer;
  Address address;
  std::vector<std::string> tags;
  std::vector<Item> items;
};

template <class Sink>
void walk(const MutationBatch& batch, Sink& sink) {
  sink.number(batch.version);
  sink.number(batch.mutations.size());
  for (const Mutation& mutation : batch.mutations) {
    sink.number(mutation.type);
    sink.text(mutation.param1);
    sink.text(mutation.param2);
  }
}

template <class Sink>
void walk(const Item& item, Sink& sink) {
  sink.text(item.sku);
  sink.number(item.count);
  sink.real(item.price);
  sink.number(item.attributes.size());
  for (const Attribute& attribute : item.attributes) {
    sink.text(attribute.key);
    sink.text(attribute.value);
  }
}

template <class Sink>
void walk(const Order& order, Sink& sink) {
  sink.number(order.id);
  sink.real(order.placed_at_s);
  sink.text(order.customer);
  sink.text(order.address.street);
  sink.text(order.address.city);
  sink.number(order.address.postcode);
  sink.number(order.tags.size());
  for (const std::string& tag : order.tags) sink.text(tag);
  sink.number(order.items.size());
  for (const Item& item : order.items) walk(item, sink);
}

/// A checksum that depends on every bit of every field. It takes a nanosecond a field, and one more
/// for each 8 bytes of text.
class Checksum {
 public:
  void number(std::uint64_t value) { sum_ = (std::rotl(sum_, 5) ^ value) * 0x9e3779b97f4a7c15U; }
  void real(double value) { number(std::bit_cast<std::uint64_t>(value)); }
  void text(std::string_view text) {
    std::uint64_t folded = text.size();
    for (; text.size() >= sizeof folded; text.remove_prefix(sizeof folded)) {
      folded = std::rotl(folded, 13) + word_of(text);
    }
    number(std::rotl(folded, 13) + word_of(text));
  }
  [[nodiscard]] std::uint64_t sum() const { return sum_; }

 private:
  static std::uint64_t word_of(std::string_view text) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), text.size() < sizeof word ? text.size() : sizeof word);
    return word;
  }
  std::uint64_t sum_ = 1;
};

/// A sink that keeps every field that was read, as text.
class Transcript {
 public:
  void number(std::uint64_t value) { fields_.push_back("number " + std::to_string(value)); }
  void real(double value) { fields_.push_back("real " + std::to_string(value)); }
  void text(std::string_view text) { fields_.push_back("text " + std::string(text)); }
  [[nodiscard]] const std::vector<std::string>& fields() const { return fields_; }

 private:
  std::vector<std::string> fields_;
};

inline std::string bytes_of(Random& random, std::size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random.below(256));
  return bytes;
}

inline std::string words_of(Random& random, std::size_t size) {
  std::string words(size, ' ');
  for (char& letter : words) letter = static_cast<char>('a' + random.below(26));
  return words;
}

/// A batch of mutations like FoundationDB's: keys of 16 to 31 bytes, values of 8 to 135; every
/// eighth mutation is a clear.
inline MutationBatch make_batch(std::size_t mutations) {
  Random random(1729);
  MutationBatch batch{.version = random(), .mutations = {}};
  for (std::size_t i = 0; i < mutations; ++i) {
    const bool is_clear = random.below(8) == 0;
    batch.mutations.push_back({.type = is_clear ? 1U : 0U,
                               .param1 = bytes_of(random, 16 + random.below(16)),
                               .param2 = bytes_of(random, 8 + random.below(is_clear ? 16 : 128))});
  }
  return batch;
}

inline Item make_item(Random& random) {
  Item item{.sku = words_of(random, 12),
            .count = static_cast<std::uint32_t>(1 + random.below(1'000'000)),
            .price = random.unit() * 100,
            .attributes = {}};
  for (std::uint64_t i = random.below(4); i > 0; --i) {
    item.attributes.push_back({.key = words_of(random, 6), .value = words_of(random, 20)});
  }
  return item;
}

inline Order make_order(std::size_t items) {
  Random random(1729);
  Order order{.id = random(),
              .placed_at_s = random.unit() * 2e9,
              .customer = words_of(random, 18),
              .address = {.street = words_of(random, 24),
                          .city = words_of(random, 10),
                          .postcode = static_cast<std::uint32_t>(random.below(99'999))},
              .tags = {words_of(random, 5), "", words_of(random, 9)},
              .items = {}};
  for (std::size_t i = 0; i < items; ++i) order.items.push_back(make_item(random));
  return order;
}

}  // namespace assay::primitives
