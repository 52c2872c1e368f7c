// Purpose: the interface over an ordered map in memory; the plug-in chooses which map.
//
//   template <class Key, class Value> using Map = std::map<Key, Value>;
//   extern "C" tree_api* create_tree(const tree_options_t& options) {
//     return assay::index::create_map_in_memory<Map>("stlmap", options);
//   }
//
// The map's nodes hold keys of up to 16 bytes themselves and, with --value_size 8, also values
// (shorter ones filled up with zeros). Longer keys and other values are std::string.
// Thread safety and cost: range_shards.hpp.
#pragma once

#include <assay/index/plugins/common/complaint.hpp>
#include <assay/index/plugins/common/range_shards.hpp>
#include <assay/index/plugins/common/record_forms.hpp>

namespace assay::index {

template <template <class, class> class Map, class Key, class Value>
class MapInMemory final : public tree_api {
 public:
  MapInMemory(const char* plugin, const tree_options_t& options)
      : key_size_(options.key_size), complaint_(plugin), map_(options.num_threads) {}

  bool find(const char* key, std::size_t key_size, char* value_out) override {
    if (!fits(key_size)) return false;
    return map_.find(Key::from({key, key_size}), [&](const auto& held) {
      const std::string_view value = Value::bytes(held);
      value.copy(value_out, value.size());
    });
  }

  bool insert(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    return fits(key_size, {value, value_size}) &&
           map_.insert(Key::from({key, key_size}), Value::from({value, value_size}));
  }

  bool update(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    return fits(key_size, {value, value_size}) &&
           map_.update(Key::from({key, key_size}), Value::from({value, value_size}));
  }

  bool remove(const char* key, std::size_t key_size) override {
    return fits(key_size) && map_.remove(Key::from({key, key_size}));
  }

  int scan(const char* key, std::size_t key_size, int scan_size, char*& values_out) override {
    ScanBuffer& found = ScanBuffer::of_this_thread();
    const int records = !fits(key_size) ? 0
                                        : map_.scan(Key::from({key, key_size}), scan_size,
                                                    [&](const auto& held_key, const auto& held) {
                                                      Key::append(found, held_key, key_size);
                                                      found.append(Value::bytes(held));
                                                    });
    values_out = found.data();
    return records;
  }

 private:
  bool fits(std::size_t key_size) {
    if (key_size == key_size_) return true;
    return complaint_.refuse("a key of " + std::to_string(key_size) + " bytes, made for " +
                             std::to_string(key_size_));
  }
  bool fits(std::size_t key_size, std::string_view value) {
    if (!fits(key_size)) return false;
    if (Value::fits(value)) return true;
    return complaint_.refuse("a value of " + std::to_string(value.size()) +
                             " bytes, made for up to 8");
  }

  const std::size_t key_size_;
  Complaint complaint_;
  RangeShards<Map<typename Key::Held, typename Value::Held>> map_;
};

template <template <class, class> class Map, class Key>
std::unique_ptr<tree_api> map_for_values(const char* plugin, const tree_options_t& options) {
  if (options.value_size == sizeof(WordValue::Held)) {
    return std::make_unique<MapInMemory<Map, Key, WordValue>>(plugin, options);
  }
  return std::make_unique<MapInMemory<Map, Key, TextValue>>(plugin, options);
}

template <template <class, class> class Map>
tree_api* create_map_in_memory(const char* plugin, const tree_options_t& options) {
  return create_or_say(plugin, [&]() -> Result<std::unique_ptr<tree_api>> {
    if (options.key_size == 0) return Error{"keys of 0 bytes", "", "give --key_size"};
    if (options.key_size <= WordKey::most_bytes) {
      return map_for_values<Map, WordKey>(plugin, options);
    }
    if (options.key_size <= TwoWordKey::most_bytes) {
      return map_for_values<Map, TwoWordKey>(plugin, options);
    }
    return map_for_values<Map, TextKey>(plugin, options);
  });
}

}  // namespace assay::index
