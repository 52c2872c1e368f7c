// The main of every group's executable.
#include <assay/assay.hpp>
#include <assay/primitives/group.hpp>

int main(int argc, char** argv) {
  assay::primitives::register_benchmarks(assay::primitives::group());
  return assay::run_benchmarks(argc, argv, ASSAY_BUILD_FACTS);
}
