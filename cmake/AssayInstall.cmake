# Headers, libraries and the package config that find_package(assay) reads.
include(CMakePackageConfigHelpers)

set(ASSAY_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/assay")

# The public headers: what users include, and what these include. tools/house.py holds the list to
# be closed under inclusion, and tests/consumer compiles each alone.
set(ASSAY_PUBLIC_HEADERS
    base/random.hpp
    base/result.hpp
    base/units.hpp
    system/clock.hpp
    system/page_allocator.hpp
    system/tick_clock.hpp
    system/tick_counter.hpp
    system/file_descriptor.hpp
    measure/allocations/allocation_hooks.hpp
    measure/allocations/allocation_meter.hpp
    measure/allocations/allocation_scope.hpp
    measure/allocations/allocation_status.hpp
    measure/allocations/allocation_tally.hpp
    measure/allocations/allocator_functions.hpp
    measure/allocations/peak_scope.hpp
    measure/latency/hdr_encoding.hpp
    measure/latency/latency_histogram.hpp
    measure/latency/latency_timing.hpp
    measure/latency/pacing.hpp
    measure/counters/counter_arithmetic.hpp
    measure/counters/counter_event.hpp
    measure/counters/memory_traffic.hpp
    measure/counters/perf_group.hpp
    record/build_facts.hpp
    index/tree_api.hpp)
if(ASSAY_HAVE_BRIDGE)
  list(APPEND ASSAY_PUBLIC_HEADERS assay.hpp gbench/counter_scope.hpp gbench/google_benchmark.hpp
              gbench/latency_recorder.hpp)
endif()
foreach(header ${ASSAY_PUBLIC_HEADERS})
  get_filename_component(folder "${header}" DIRECTORY)
  set(top native)
  if(folder STREQUAL "index")
    set(top labs)
  endif()
  install(FILES "${PROJECT_SOURCE_DIR}/${top}/${header}"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/assay/${folder}" COMPONENT development)
endforeach()

# Written by tools/reference.py: a build needs nothing of what the program imports.
file(GLOB assay_manual CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/man/*.1")
install(FILES ${assay_manual} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT runtime)

install(TARGETS ${ASSAY_EXPORTED_TARGETS} EXPORT assayTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime)
install(EXPORT assayTargets NAMESPACE assay:: DESTINATION "${ASSAY_CMAKE_DIR}"
        COMPONENT development)

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/assayConfig.cmake.in" "${PROJECT_BINARY_DIR}/assayConfig.cmake"
  INSTALL_DESTINATION "${ASSAY_CMAKE_DIR}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/assayConfigVersion.cmake"
                                 COMPATIBILITY SameMajorVersion)
install(FILES "${PROJECT_BINARY_DIR}/assayConfig.cmake"
              "${PROJECT_BINARY_DIR}/assayConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/AssayBenchmark.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/AssayComparison.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/AssayRun.cmake"
        DESTINATION "${ASSAY_CMAKE_DIR}" COMPONENT development)
