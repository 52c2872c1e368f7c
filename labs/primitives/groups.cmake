# Suites: many ways of doing one thing, timed side by side. A suite is a folder of groups; a
# group is one benchmark executable in libexec/assay/suites/SUITE/GROUP, which
# `assay suite SUITE` runs.
#
#   assay_suite_group(GROUP SOURCES file... [TESTS file...] [LIBRARIES target...]
#                     [SMALL argument...] [THREADED])
#
#   SUITE_GROUP           the executable: SOURCES define assay::primitives::group() (group.hpp)
#   bench:SUITE_GROUP     in CTest, short; SMALL leaves out the large sizes (a filter, say)
#   SUITE_GROUP_tests     that every check passes, and TESTS; THREADED: under ThreadSanitizer too
#
# A part that needs a library or an instruction is a file with an OptionalPart (group.hpp), which
# registers itself: assay_suite_part() of CMakeLists.txt adds it where what it needs is there, and
# says so elsewhere. Those of serialization need generated code: serialization.cmake adds them.
add_library(assay_suite STATIC group.cpp measured.cpp)
target_link_libraries(assay_suite PUBLIC assay::assay)
assay_configure(assay_suite)

function(assay_suite_group group)
  cmake_parse_arguments(PARSE_ARGV 1 arg "THREADED" "" "SOURCES;TESTS;LIBRARIES;SMALL")
  get_filename_component(suite "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  set(name ${suite}_${group})

  add_library(${name}_parts OBJECT ${arg_SOURCES})
  target_link_libraries(${name}_parts PUBLIC assay_suite ${arg_LIBRARIES})
  assay_configure(${name}_parts)

  assay_add_benchmark(
    ${name}
    SOURCES "${PROJECT_SOURCE_DIR}/labs/primitives/group_main.cpp" $<TARGET_OBJECTS:${name}_parts>
    LIBRARIES assay_suite ${arg_LIBRARIES}
    ARGS --benchmark_min_time=0.00001 ${arg_SMALL}
    TIMEOUT 300
    CTEST)
  assay_configure(${name})
  _assay_place_group(${name} ${suite} ${group})
  if(ASSAY_BUILD_TESTS AND GTest_FOUND)
    set(threaded "")
    if(arg_THREADED)
      set(threaded THREADED)
    endif()
    _assay_test_group(${name} "${arg_TESTS}" "${arg_LIBRARIES}")
  endif()
endfunction()

function(_assay_place_group name suite group)
  set_target_properties(
    ${name}
    PROPERTIES OUTPUT_NAME ${group}
               RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/libexec/assay/suites/${suite}"
               INSTALL_RPATH "$ORIGIN/../../../../${CMAKE_INSTALL_LIBDIR}"
               INSTALL_RPATH_USE_LINK_PATH ON)
  if(ASSAY_INSTALL)
    install(TARGETS ${name}
            RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/assay/suites/${suite}"
                    COMPONENT runtime)
  endif()
endfunction()

function(_assay_test_group name tests libraries)
  add_executable(${name}_tests "${PROJECT_SOURCE_DIR}/labs/primitives/group_checks_test.cpp" ${tests}
                               $<TARGET_OBJECTS:${name}_parts>)
  target_link_libraries(${name}_tests PRIVATE assay_suite ${libraries} GTest::gtest
                                              GTest::gtest_main)
  assay_configure(${name}_tests)
  set_target_properties(${name}_tests PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                                 "${PROJECT_BINARY_DIR}/tests")
  assay_discover_tests(${name}_tests ${threaded} TEST_PREFIX "${name}:")
endfunction()

if(ASSAY_BUILD_TESTS AND GTest_FOUND)
  add_executable(assay_suite_tests group_test.cpp measured_test.cpp)
  target_link_libraries(assay_suite_tests PRIVATE assay_suite GTest::gtest GTest::gtest_main)
  assay_configure(assay_suite_tests)
  set_target_properties(assay_suite_tests PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                                     "${PROJECT_BINARY_DIR}/tests")
  assay_discover_tests(assay_suite_tests)
endif()
