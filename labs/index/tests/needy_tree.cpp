// A plug-in that needs a function which no library defines.
#include "map_of_fixture.hpp"

extern "C" void nobody_defines_this();

extern "C" tree_api* create_tree(const tree_options_t& /*options*/) {
  nobody_defines_this();
  return new MapOfFixture;
}
