// The main of every group's executable.
#include <assay/assay.hpp>
#include <assay/suites/group.hpp>

int main(int argc, char** argv) {
  assay::suites::register_benchmarks(assay::suites::group());
  return assay::run_benchmarks(argc, argv, ASSAY_BUILD_FACTS);
}
