# Optional libraries. What is missing is left out, and said so in one line each.
find_package(nlohmann_json 3.9 QUIET)
if(TARGET benchmark::benchmark) # of the project we are part of
  set(benchmark_FOUND ON)
else()
  find_package(benchmark 1.7.1 CONFIG QUIET)
endif()

set(ASSAY_HAVE_RECORD ${nlohmann_json_FOUND})
if(NOT nlohmann_json_FOUND)
  message(STATUS "assay: nlohmann_json not found: left out: JSON, the bridge, examples, benchmarks")
endif()

if(nlohmann_json_FOUND AND benchmark_FOUND)
  set(ASSAY_HAVE_BRIDGE ON)
else()
  set(ASSAY_HAVE_BRIDGE OFF)
endif()
if(NOT benchmark_FOUND)
  message(STATUS "assay: Google Benchmark 1.7.1 or newer not found: left out: the bridge, examples, benchmarks")
endif()

if(ASSAY_BUILD_TESTS)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND)
    message(STATUS "assay: GoogleTest not found: left out: native unit tests")
  endif()
endif()
