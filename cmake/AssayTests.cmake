# One test executable a module, from the x_test.cpp beside each x.cpp.

# assay_add_tests(NAME FOLDERS folder... LIBRARIES target... [THREADED])
function(assay_add_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "THREADED" "" "FOLDERS;LIBRARIES")
  set(sources "")
  foreach(folder ${arg_FOLDERS})
    file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/native/${folder}/*_test.cpp")
    list(APPEND sources ${found})
  endforeach()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest GTest::gtest_main)
  target_compile_definitions(
    ${name} PRIVATE ASSAY_FIXTURE_DIR="${PROJECT_BINARY_DIR}/tests"
                    ASSAY_GOLDEN_DIR="${PROJECT_SOURCE_DIR}/schema/golden")
  assay_configure(${name})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  if(arg_THREADED)
    assay_discover_tests(${name} THREADED)
  else()
    assay_discover_tests(${name})
  endif()
endfunction()

assay_add_tests(assay_base_tests FOLDERS base LIBRARIES assay_base)
assay_add_tests(assay_system_tests FOLDERS system LIBRARIES assay_system THREADED)

assay_add_tests(assay_measure_tests
                FOLDERS measure/allocations measure/counters measure/latency measure/launch
                LIBRARIES assay_measure assay_launch_parts THREADED)
# Sanitizers make the launcher itself large: there it is only run, not weighed.
if(ASSAY_HAVE_STATIC_LINKING)
  set(rss_limit "8'000'000")
  set(growth_limit "500'000")
else()
  set(rss_limit "99'000'000")
  set(growth_limit "50'000'000")
endif()
target_compile_definitions(
  assay_measure_tests PRIVATE ASSAY_LAUNCHER="$<TARGET_FILE:assay-launch>"
                              ASSAY_LAUNCHER_RSS_LIMIT=${rss_limit}
                              ASSAY_LAUNCHER_GROWTH_LIMIT=${growth_limit})
add_dependencies(assay_measure_tests assay-launch)
target_compile_definitions(
  assay_measure_tests PRIVATE ASSAY_TESTDATA_DIR="${PROJECT_SOURCE_DIR}/native/measure/counters/testdata"
                              $<$<BOOL:${ASSAY_HAVE_LIBPFM}>:ASSAY_HAVE_LIBPFM>)
set(allocator_lines "")
foreach(allocator ${ASSAY_TEST_ALLOCATORS})
  string(APPEND allocator_lines "{\"${allocator}\", \"${ASSAY_${allocator}_LIBRARY}\"},\n")
endforeach()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/test_allocators.inc"
     CONTENT "${allocator_lines}" @ONLY)
target_include_directories(assay_measure_tests PRIVATE "${PROJECT_BINARY_DIR}/generated")
target_compile_definitions(
  assay_measure_tests PRIVATE ASSAY_PRELOAD="${PROJECT_BINARY_DIR}/libexec/assay/libassay_preload.so")
if(TARGET assay_preload)
  add_dependencies(assay_measure_tests assay_preload)
endif()

if(TARGET assay_loop)
  assay_add_tests(assay_loop_tests FOLDERS measure/loop LIBRARIES assay_loop_parts)
  target_compile_definitions(assay_loop_tests PRIVATE ASSAY_LOOP="$<TARGET_FILE:assay_loop>")
  add_dependencies(assay_loop_tests assay_loop)
  if(benchmark_FOUND)
    target_compile_definitions(assay_loop_tests PRIVATE ASSAY_HAVE_LOOP_BENCHMARK)
    add_dependencies(assay_loop_tests loop_benchmark)
  endif()
endif()

if(TARGET assay_delay)
  assay_add_tests(assay_delay_tests FOLDERS measure/delay LIBRARIES assay_base)
  target_compile_definitions(assay_delay_tests PRIVATE ASSAY_DELAY="$<TARGET_FILE:assay_delay>")
  add_dependencies(assay_delay_tests assay_delay clock_reader)
endif()

if(ASSAY_HAVE_RECORD)
  assay_add_tests(assay_record_tests FOLDERS record LIBRARIES assay_record
                                                              nlohmann_json::nlohmann_json)
endif()

if(TARGET assay)
  assay_add_tests(assay_gbench_tests FOLDERS gbench LIBRARIES assay nlohmann_json::nlohmann_json)
endif()

# Every plug-in that was built, against a model.
if(TARGET assay_index)
  assay_add_tests(assay_plugin_tests FOLDERS index/plugins index/plugins/common
                  LIBRARIES assay_index THREADED)
  get_property(index_plugins GLOBAL PROPERTY ASSAY_INDEX_PLUGINS)
  list(JOIN index_plugins " " index_plugins)
  set(plugins_to_hold ${index_plugins})
  if(ASSAY_BUILD_EXAMPLES)
    string(APPEND plugins_to_hold " flat_map")
    add_dependencies(assay_plugin_tests flat_map)
  endif()
  target_compile_definitions(
    assay_plugin_tests PRIVATE ASSAY_INDEX_PLUGINS="${plugins_to_hold}"
                               ASSAY_PLUGIN_DIR="${PROJECT_BINARY_DIR}/libexec/assay/plugins"
                               ASSAY_EXAMPLES_DIR="${PROJECT_BINARY_DIR}/examples")
  add_dependencies(assay_plugin_tests assay_index_plugins)
endif()

if(TARGET assay_index_crash)
  assay_add_tests(assay_crash_tests FOLDERS index/crash
                  LIBRARIES assay_index_crash nlohmann_json::nlohmann_json THREADED)
  target_compile_definitions(
    assay_crash_tests PRIVATE ASSAY_CRASH="$<TARGET_FILE:assay-crash>"
                              ASSAY_INDEX_PLUGINS="${index_plugins}")
  add_dependencies(assay_crash_tests assay-crash assay_index_plugins assay_test_plugins)
endif()

if(TARGET assay_index)
  assay_add_tests(assay_index_tests
                  FOLDERS index index/options index/workload index/check index/run index/report
                  LIBRARIES assay_index THREADED)
  add_dependencies(assay_index_tests extended_tree faulty_tree foreign_tree longer_tree mangled_tree
                                     needy_tree no_create_tree openmp_tree)
endif()

if(TARGET assay_restore)
  assay_add_tests(
    assay_restore_tests
    FOLDERS suites/restore suites/restore/rows suites/restore/tree suites/restore/compact
            suites/restore/catalogue
    LIBRARIES assay_restore)
endif()

if(TARGET assay_os_front)
  assay_add_tests(assay_os_tests FOLDERS os/harness os/cli LIBRARIES assay_os_front THREADED)
  add_dependencies(assay_os_tests assay-os-child assay-os-launch)
endif()
