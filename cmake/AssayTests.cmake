# One test executable a module, from the x_test.cpp beside each x.cpp.
#
# assay_add_tests(NAME FOLDERS folder... LIBRARIES target... [THREADED]); folders are below the one
# whose CMakeLists.txt calls it, and "." is that one. THREADED: under ThreadSanitizer, too.
function(assay_add_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "THREADED" "" "FOLDERS;LIBRARIES")
  set(sources "")
  foreach(folder ${arg_FOLDERS})
    file(GLOB found CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*_test.cpp")
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
