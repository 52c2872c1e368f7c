// assay-index: drive an index behind a plug-in, and report what it did.
#include <assay/index/program/index_program.hpp>

int main(int argc, char** argv) {
  return assay::index::run_program(argc, argv);
}
