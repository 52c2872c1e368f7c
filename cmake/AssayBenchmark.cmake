# Benchmarks as part of a CMake project. For users; installed beside the package config.
#
#   assay_add_benchmark(NAME SOURCES file... [LIBRARIES target...] [ARGS argument...]
#                       [CTEST] [TIMEOUT seconds])
#
#   NAME             an executable, linked with assay::assay and LIBRARIES; an ordinary target
#   run-NAME         builds and runs it: prints, and writes performance-output/NAME.json
#   bench            builds all benchmarks of the build tree, then runs them one by one
#   ctest: bench:NAME   with CTEST, or NAME in ASSAY_ENABLED_BENCHMARKS; fails when the
#                    benchmark crashes, reports an error, or measures nothing
#
# ARGS go to the executable, before --benchmark_out. TIMEOUT is for the whole run (1500).
# ASSAY_HOLD_PLACEMENT=ON compiles and links benchmarks and those of LIBRARIES that this project
# builds so that a change moves as little code as can be: docs/guides/revisions.md. A build that
# Assay itself starts needs it not.
include_guard(GLOBAL)
cmake_policy(VERSION 3.22)

set(ASSAY_ENABLED_BENCHMARKS "" CACHE STRING "Benchmarks to run in CTest, as if declared with CTEST")

option(ASSAY_HOLD_PLACEMENT "Functions of benchmarks begin at lines of the cache, ordered by name" OFF)

function(assay_add_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CTEST" "TIMEOUT" "SOURCES;LIBRARIES;ARGS")
  _assay_check_arguments("assay_add_benchmark(${name})" "${arg_UNPARSED_ARGUMENTS}"
                         "${arg_KEYWORDS_MISSING_VALUES}")
  _assay_check_benchmark(${name} "${arg_SOURCES}")
  _assay_warn_of_slow_code(${arg_LIBRARIES})

  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE assay::assay ${arg_LIBRARIES})
  if(ASSAY_HOLD_PLACEMENT)
    _assay_hold_placement(${name} ${arg_LIBRARIES})
  endif()

  _assay_seconds(timeout_s "${arg_TIMEOUT}")
  _assay_script(script run-${name})
  _assay_quote(arguments ARGS)
  _assay_write_run_script("${script}" ${name} ${timeout_s} "${arguments}")
  _assay_add_run_target(run-${name} "${script}" ${name})
  _assay_add_to_bench(${name})
  if(arg_CTEST OR name IN_LIST ASSAY_ENABLED_BENCHMARKS)
    _assay_add_test(bench:${name} ${timeout_s} "${script}")
  endif()
  _assay_check_at_the_end()
endfunction()

# ---- what is wrong, where, and what to try --------------------------------------------------

function(_assay_check_arguments call unknown valueless)
  if(unknown)
    list(JOIN unknown " " unknown)
    message(FATAL_ERROR "${call}: no such argument: ${unknown}")
  endif()
  if(valueless)
    list(JOIN valueless ", " valueless)
    message(FATAL_ERROR "${call}: nothing follows ${valueless}")
  endif()
endfunction()

function(_assay_check_benchmark name sources)
  if(NOT sources)
    message(FATAL_ERROR "assay_add_benchmark(${name}): no SOURCES: name the files to compile")
  endif()
  if(NOT TARGET assay::assay)
    message(FATAL_ERROR "assay_add_benchmark(${name}): this assay was built without Google "
                        "Benchmark or nlohmann_json: install both and build assay again")
  endif()
endfunction()

# A debug build measures the absence of the compiler. At run time the executable says so too.
function(_assay_warn_of_slow_code)
  foreach(library IN LISTS ARGN ITEMS assay::assay)
    _assay_warn_of_debug_import(${library})
  endforeach()
  get_property(warned GLOBAL PROPERTY _ASSAY_WARNED_OF_SLOW_CODE)
  if(warned OR CMAKE_CONFIGURATION_TYPES)
    return()
  endif()
  _assay_is_optimised(optimised)
  if(NOT optimised)
    set_property(GLOBAL PROPERTY _ASSAY_WARNED_OF_SLOW_CODE ON)
    message(WARNING "assay: benchmarks are built without optimisation (CMAKE_BUILD_TYPE is "
                    "'${CMAKE_BUILD_TYPE}'): timings will mean little; "
                    "try -DCMAKE_BUILD_TYPE=Release")
  endif()
endfunction()

# The last -O of the flags counts, as it does for the compiler. Without one: not optimised.
function(_assay_is_optimised result)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  get_directory_property(options COMPILE_OPTIONS)
  set(${result} ON PARENT_SCOPE)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  foreach(language IN ITEMS C CXX)
    set(flags " ${CMAKE_${language}_FLAGS} ${CMAKE_${language}_FLAGS_${type}} ${options}")
    string(REGEX MATCHALL "[ ;][-/]O[0-9a-z]*" levels "${flags}")
    list(POP_BACK levels last)
    if(language IN_LIST languages AND (NOT last OR last MATCHES "O[0d]$"))
      set(${result} OFF PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

function(_assay_warn_of_debug_import library)
  if(NOT TARGET ${library})
    return()
  endif()
  get_target_property(imported ${library} IMPORTED)
  get_target_property(configurations ${library} IMPORTED_CONFIGURATIONS)
  if(imported AND configurations STREQUAL "DEBUG")
    message(WARNING "assay: ${library} was installed as a debug build: timings of it will mean "
                    "little; install it with -DCMAKE_BUILD_TYPE=Release")
  endif()
endfunction()

# Tests that were asked for and would silently not exist.
function(_assay_check_at_the_end)
  get_property(planned GLOBAL PROPERTY _ASSAY_CHECK_PLANNED)
  if(NOT planned)
    set_property(GLOBAL PROPERTY _ASSAY_CHECK_PLANNED ON)
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _assay_check_tests_exist)
  endif()
endfunction()

function(_assay_check_tests_exist)
  get_property(tests GLOBAL PROPERTY _ASSAY_TESTS)
  if(tests AND NOT CMAKE_TESTING_ENABLED)
    list(JOIN tests ", " tests)
    message(WARNING "assay: ctest will not see ${tests}: "
                    "call enable_testing() in ${CMAKE_SOURCE_DIR}/CMakeLists.txt")
  endif()
  get_property(known GLOBAL PROPERTY _ASSAY_BENCHMARKS)
  foreach(name IN LISTS ASSAY_ENABLED_BENCHMARKS)
    if(NOT name IN_LIST known)
      list(JOIN known ", " all)
      message(WARNING "assay: no benchmark '${name}', which ASSAY_ENABLED_BENCHMARKS names; "
                      "there are: ${all}")
    endif()
  endforeach()
endfunction()

# ---- where code lies ------------------------------------------------------------------------

# The same flags as src/assay/revisions/drivers.py adds.
function(_assay_hold_placement name)
  foreach(target IN ITEMS ${name} LISTS ARGN)
    if(TARGET ${target})
      _assay_hold_functions(${target})
    endif()
  endforeach()
  include(CheckLinkerFlag)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("CXX" IN_LIST languages)
    check_linker_flag(CXX -Wl,--sort-section=name ASSAY_LINKER_SORTS_SECTIONS)
  endif()
  if(ASSAY_LINKER_SORTS_SECTIONS)
    target_link_options(${name} PRIVATE -Wl,--sort-section=name)
  endif()
endfunction()

function(_assay_hold_functions target)
  get_target_property(aliased ${target} ALIASED_TARGET)
  if(aliased)
    set(target ${aliased})
  endif()
  get_target_property(imported ${target} IMPORTED)
  get_target_property(type ${target} TYPE)
  if(NOT imported AND NOT type STREQUAL "INTERFACE_LIBRARY")
    target_compile_options(
      ${target} PRIVATE "$<$<COMPILE_LANG_AND_ID:C,GNU,Clang>:${_ASSAY_HOLDING}>"
                        "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:${_ASSAY_HOLDING}>")
  endif()
endfunction()

set(_ASSAY_HOLDING "-falign-functions=64;-ffunction-sections;-fdata-sections" CACHE INTERNAL "")

# ---- scripts: what targets and tests run ----------------------------------------------------

function(_assay_seconds result asked)
  if("${asked}" STREQUAL "")
    set(asked 1500) # CTest's own default
  elseif(NOT asked MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "assay: TIMEOUT ${asked}: not a whole number of seconds")
  endif()
  set(${result} ${asked} PARENT_SCOPE)
endfunction()

function(_assay_script result name)
  set(folder "${CMAKE_BINARY_DIR}/CMakeFiles/assay")
  if(CMAKE_CONFIGURATION_TYPES)
    string(APPEND folder "/$<CONFIG>")
  endif()
  set(${result} "${folder}/${name}.cmake" PARENT_SCOPE)
endfunction()

# The caller's arg_<LIST> as CMake code that passes each element on as it is.
function(_assay_quote result list)
  set(quoted "")
  foreach(one IN LISTS arg_${list})
    string(APPEND quoted " [====[${one}]====]")
  endforeach()
  set(${result} "${quoted}" PARENT_SCOPE)
endfunction()

function(_assay_write_run_script script name timeout_s arguments)
  file(
    GENERATE
    OUTPUT "${script}"
    CONTENT
      "include([====[${CMAKE_CURRENT_FUNCTION_LIST_DIR}/AssayRun.cmake]====])
assay_begin_benchmark(${name} [====[${CMAKE_BINARY_DIR}]====] [====[$<TARGET_FILE:${name}>]====])
execute_process(
  COMMAND [====[$<TARGET_FILE:${name}>]====]${arguments}
          \"--benchmark_out=\${ASSAY_PARTIAL}\" --benchmark_out_format=json
  WORKING_DIRECTORY [====[${CMAKE_CURRENT_BINARY_DIR}]====]
  TIMEOUT ${timeout_s} RESULT_VARIABLE result)
assay_end_benchmark(${name} \"\${result}\")
")
endfunction()

function(_assay_add_run_target target script)
  add_custom_target(
    ${target}
    COMMAND "${CMAKE_COMMAND}" -P "${script}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    COMMENT "${target}"
    USES_TERMINAL VERBATIM)
  if(ARGN)
    add_dependencies(${target} ${ARGN})
  endif()
endfunction()

# One command runs them all. Not one target each: generators start targets that do not depend
# on each other at the same time, and a benchmark beside a compiler or beside another benchmark
# measures both. So all are built first, and then each has the machine to itself.
function(_assay_add_to_bench name)
  if(NOT TARGET bench)
    _assay_script(script bench)
    file(
      GENERATE
      OUTPUT "${script}"
      CONTENT
        "include([====[${CMAKE_CURRENT_FUNCTION_LIST_DIR}/AssayRun.cmake]====])
assay_run_all([====[$<TARGET_PROPERTY:bench,ASSAY_BENCHMARKS>]====])
")
    _assay_add_run_target(bench "${script}")
    set_property(TARGET bench PROPERTY ASSAY_BENCHMARKS "")
  endif()
  get_target_property(benchmarks bench ASSAY_BENCHMARKS)
  if(benchmarks MATCHES "NOTFOUND$")
    message(FATAL_ERROR "assay_add_benchmark(${name}): there is a target 'bench' already, and it "
                        "is not assay's: rename it, and let assay's run both if you like")
  endif()
  set_property(TARGET bench APPEND PROPERTY ASSAY_BENCHMARKS ${name})
  set_property(GLOBAL APPEND PROPERTY _ASSAY_BENCHMARKS ${name})
  add_dependencies(bench ${name})
endfunction()

# The script's own timeout comes first: it also ends what the benchmark started.
function(_assay_add_test test timeout_s script)
  math(EXPR later_s "${timeout_s} + 60")
  add_test(NAME ${test} COMMAND "${CMAKE_COMMAND}" -P "${script}")
  set_tests_properties(${test} PROPERTIES RUN_SERIAL ON TIMEOUT ${later_s} LABELS benchmark)
  set_property(GLOBAL APPEND PROPERTY _ASSAY_TESTS ${test})
endfunction()
