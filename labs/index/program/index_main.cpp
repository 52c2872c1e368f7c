// assay-index: drives an index behind a plug-in, and reports what it measured.
#include <assay/index/program/index_program.hpp>

int main(int argc, char** argv) {
  return assay::index::run_program(argc, argv);
}
