# One test executable per layer, from the x_test.cpp beside each x.cpp.
include(GoogleTest)

# assay_add_tests(NAME FOLDER LIBRARIES... )
function(assay_add_tests name folder)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/native/${folder}/*_test.cpp")
  if(NOT ASSAY_HAVE_BRIDGE)
    list(FILTER sources EXCLUDE REGEX "(google_benchmark|golden)_test")
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${ARGN} GTest::gtest GTest::gtest_main)
  target_compile_definitions(
    ${name} PRIVATE ASSAY_FIXTURE_DIR="${PROJECT_BINARY_DIR}/tests"
                    ASSAY_GOLDEN_DIR="${PROJECT_SOURCE_DIR}/schema/golden")
  assay_configure(${name})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  gtest_discover_tests(${name} PROPERTIES TIMEOUT 120 DISCOVERY_TIMEOUT 30)
endfunction()

assay_add_tests(assay_base_tests base assay_base)

assay_add_tests(assay_measure_tests measure assay_measure assay_launch_parts)
# Sanitizers make the launcher itself large: there it is only run, not weighed.
if(ASSAY_HAVE_STATIC_LINKING)
  set(rss_limit "8'000'000")
else()
  set(rss_limit "99'000'000")
endif()
target_compile_definitions(
  assay_measure_tests PRIVATE ASSAY_LAUNCHER="$<TARGET_FILE:assay-launch>"
                              ASSAY_LAUNCHER_RSS_LIMIT=${rss_limit})
add_dependencies(assay_measure_tests assay-launch)

if(ASSAY_HAVE_RECORD)
  assay_add_tests(assay_record_tests record assay_record nlohmann_json::nlohmann_json)
endif()
