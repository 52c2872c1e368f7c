// A plug-in whose create_tree has a C++ name, as it is not declared extern "C".
#include "map_of_fixture.hpp"

tree_api* create_tree(const tree_options_t& /*options*/);

tree_api* create_tree(const tree_options_t& /*options*/) {
  return new MapOfFixture;
}
