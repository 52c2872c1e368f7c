// JSON, through nlohmann's tree. JSON cannot hold arbitrary bytes, so they are sent as base64.
#include <assay/primitives/serialization/serialization_group.hpp>

#include <assay/measure/latency/base64.hpp>

#include <nlohmann/json.hpp>

#include <utility>

namespace assay::primitives {
namespace {

using nlohmann::json;

json tree_of(const MutationBatch& batch) {
  json mutations = json::array();
  for (const Mutation& mutation : batch.mutations) {
    mutations.push_back({{"type", mutation.type},
                         {"param1", to_base64(mutation.param1)},
                         {"param2", to_base64(mutation.param2)}});
  }
  return {{"version", batch.version}, {"mutations", std::move(mutations)}};
}

json tree_of(const Item& item) {
  json attributes = json::array();
  for (const Attribute& attribute : item.attributes) {
    attributes.push_back({{"key", attribute.key}, {"value", attribute.value}});
  }
  return {{"sku", item.sku},
          {"count", item.count},
          {"price", item.price},
          {"attributes", std::move(attributes)}};
}

json tree_of(const Order& order) {
  json items = json::array();
  for (const Item& item : order.items) items.push_back(tree_of(item));
  return {{"id", order.id},
          {"placed_at_s", order.placed_at_s},
          {"customer", order.customer},
          {"address",
           {{"street", order.address.street},
            {"city", order.address.city},
            {"postcode", order.address.postcode}}},
          {"tags", order.tags},
          {"items", std::move(items)}};
}

template <class Sink>
void give_text(const json& text, Sink& sink) {
  sink.text(text.get_ref<const std::string&>());
}

template <class Sink>
void give_bytes(const json& text, Sink& sink) {
  const auto bytes = from_base64(text.get_ref<const std::string&>());
  if (!bytes) return;
  sink.text({static_cast<const char*>(static_cast<const void*>(bytes->data())), bytes->size()});
}

template <class Sink>
void give(const json& batch, std::type_identity<MutationBatch> /*kind*/, Sink& sink) {
  sink.number(batch.at("version").get<std::uint64_t>());
  const json& mutations = batch.at("mutations");
  sink.number(mutations.size());
  for (const json& mutation : mutations) {
    sink.number(mutation.at("type").get<std::uint64_t>());
    give_bytes(mutation.at("param1"), sink);
    give_bytes(mutation.at("param2"), sink);
  }
}

template <class Sink>
void give(const json& item, std::type_identity<Item> /*kind*/, Sink& sink) {
  give_text(item.at("sku"), sink);
  sink.number(item.at("count").get<std::uint64_t>());
  sink.real(item.at("price").get<double>());
  sink.number(item.at("attributes").size());
  for (const json& attribute : item.at("attributes")) {
    give_text(attribute.at("key"), sink);
    give_text(attribute.at("value"), sink);
  }
}

template <class Sink>
void give(const json& order, std::type_identity<Order> /*kind*/, Sink& sink) {
  sink.number(order.at("id").get<std::uint64_t>());
  sink.real(order.at("placed_at_s").get<double>());
  give_text(order.at("customer"), sink);
  const json& address = order.at("address");
  give_text(address.at("street"), sink);
  give_text(address.at("city"), sink);
  sink.number(address.at("postcode").get<std::uint64_t>());
  sink.number(order.at("tags").size());
  for (const json& tag : order.at("tags")) give_text(tag, sink);
  sink.number(order.at("items").size());
  for (const json& item : order.at("items")) give(item, std::type_identity<Item>(), sink);
}

class Json {
 public:
  static constexpr std::string_view name = "SerializationType::Json";

  template <class Record>
  std::string_view encode(const Record& record) {
    buffer_ = tree_of(record).dump();
    return buffer_;
  }

  template <class Record, class Sink>
  bool decode(std::string_view bytes, std::type_identity<Record> kind, Sink& sink) {
    const json tree = json::parse(bytes, nullptr, false);
    if (tree.is_discarded()) return false;
    give(tree, kind, sink);
    return true;
  }

 private:
  std::string buffer_;
};

}  // namespace

void add_json(Group& group) {
  add_format<Json>(group);
}

}  // namespace assay::primitives
