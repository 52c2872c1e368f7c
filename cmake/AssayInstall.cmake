# Headers, libraries and the package config that find_package(assay) reads.
include(CMakePackageConfigHelpers)

set(ASSAY_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/assay")

# Not for users: parts of assay-launch, and headers that need nlohmann_json or are for tests.
set(left_out
    "/(launch.*|json_.*|unavailable_counters|google_benchmark_names|temporary_folder)\\.hpp$")
if(NOT ASSAY_HAVE_BRIDGE)
  set(left_out "${left_out}|/(assay|google_benchmark[a-z_]*)\\.hpp$")
endif()
install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/native/"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/assay"
  COMPONENT development
  FILES_MATCHING
  PATTERN "*.hpp"
  REGEX "${left_out}" EXCLUDE
  REGEX "/native/(index|os|suites)(/|$)" EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/native/index/tree_api.hpp"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/assay/index" COMPONENT development)

install(TARGETS ${ASSAY_EXPORTED_TARGETS} EXPORT assayTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime)
install(EXPORT assayTargets NAMESPACE assay:: DESTINATION "${ASSAY_CMAKE_DIR}"
        COMPONENT development)

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/assayConfig.cmake.in" "${PROJECT_BINARY_DIR}/assayConfig.cmake"
  INSTALL_DESTINATION "${ASSAY_CMAKE_DIR}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/assayConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/assayConfig.cmake"
              "${PROJECT_BINARY_DIR}/assayConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/AssayBenchmark.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/AssayComparison.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/AssayRun.cmake"
        DESTINATION "${ASSAY_CMAKE_DIR}" COMPONENT development)
