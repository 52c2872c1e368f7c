// Purpose: the interface between the index lab and what it measures: PiBench's, so that a plug-in
// built for one loads in the other. Nothing here may change: tree_api_layout_test.cpp checks the
// layout.
//
//   extern "C" tree_api* create_tree(const tree_options_t& options) {
//     return new Map(options);
//   }
//
// Map is a class derived from tree_api, and all is compiled with `-shared -fPIC`;
// `examples/05_index_plugin` is a complete plug-in.
//
// Thread safety: with num_threads > 1 every function is called from that many threads at once.
// Errors: create_tree returns nullptr (say why on stderr); a failed operation returns false.
// Cost: one virtual call an operation.
#pragma once

#include <cstddef>
#include <string>

// NOLINTBEGIN(readability-identifier-naming): the names are the interface's.
struct tree_options_t {
  std::size_t key_size = 8;
  std::size_t value_size = 8;
  // File or folder of a persistent structure; empty if none was given.
  std::string pool_path;
  std::size_t pool_size = 0;
  std::size_t num_threads = 1;
};

class tree_api {
 public:
  virtual ~tree_api() = default;

  /// True if the key is there; writes the value's bytes to `value_out`.
  virtual bool find(const char* key, std::size_t key_size, char* value_out) = 0;
  /// Adds a record. False if the key is there already.
  virtual bool insert(const char* key, std::size_t key_size, const char* value,
                      std::size_t value_size) = 0;
  /// Changes a record's value. False if the key is not there.
  virtual bool update(const char* key, std::size_t key_size, const char* value,
                      std::size_t value_size) = 0;
  /// Removes a record. False if the key is not there.
  virtual bool remove(const char* key, std::size_t key_size) = 0;
  /// Finds up to `scan_size` records in ascending order, from the first key not less than `key`,
  /// and returns how many. Sets `values_out` to memory of the plug-in that holds them one after the
  /// other, each as its key and then its value.
  virtual int scan(const char* key, std::size_t key_size, int scan_size, char*& values_out) = 0;
};
// NOLINTEND(readability-identifier-naming)
