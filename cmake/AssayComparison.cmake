# Two builds gated in CTest. For users; installed beside the package config.
#
#   assay_add_comparison(NAME BASE target-or-path CANDIDATE target-or-path
#                        [MARGIN percent] [STRICT] [ARGS argument...] [TIMEOUT seconds])
#
#   ctest: compare:NAME   `assay compare BASE CANDIDATE --gate`: fails when a benchmark of
#                    CANDIDATE is proven slower than in BASE by more than MARGIN percent,
#                    or could not be measured, is on one side only or ended without an interval;
#                    with STRICT also when one is undecided. Without MARGIN it is that of
#                    `assay compare`: what assay.toml says, or its default
#   compare-NAME     the same as a target
#
# Both write performance-output/compare-NAME.json, the verdicts, and compare-NAME.record.json,
# what was measured, from which `assay report` draws.
#
# BASE and CANDIDATE: targets of this build, paths (relative ones are in the source folder), or
# what else `assay compare` takes, as cmd:COMMAND. ARGS go to `assay compare`.
include_guard(GLOBAL)
cmake_policy(VERSION 3.22)

function(assay_add_comparison name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STRICT" "BASE;CANDIDATE;MARGIN;TIMEOUT" "ARGS")
  set(call "assay_add_comparison(${name})")
  _assay_check_arguments("${call}" "${arg_UNPARSED_ARGUMENTS}" "${arg_KEYWORDS_MISSING_VALUES}")
  if(NOT arg_BASE OR NOT arg_CANDIDATE)
    message(FATAL_ERROR "${call}: it takes both BASE and CANDIDATE: a target or a path each")
  endif()
  set(gate slower)
  if(arg_STRICT)
    set(gate strict)
  endif()

  _assay_find_executable("${call}" compare:${name})
  _assay_side(base "${arg_BASE}")
  _assay_side(candidate "${arg_CANDIDATE}")
  _assay_seconds(timeout_s "${arg_TIMEOUT}")
  _assay_script(script compare-${name})
  set(arg_COMMAND "${base}" "${candidate}" --gate=${gate})
  if(NOT "${arg_MARGIN}" STREQUAL "")
    list(APPEND arg_COMMAND --margin "${arg_MARGIN}")
  endif()
  _assay_quote(words COMMAND)
  _assay_quote(more ARGS)
  _assay_write_comparison_script("${script}" ${name} ${timeout_s} "${words}${more}")
  _assay_add_compare_target(compare-${name} "${script}" "${arg_BASE}" "${arg_CANDIDATE}")
  _assay_add_test(compare:${name} ${timeout_s} "${script}")
  if(NOT ASSAY_EXECUTABLE)
    set_tests_properties(compare:${name} PROPERTIES DISABLED ON)
  endif()
  _assay_check_at_the_end()
endfunction()

# Beside an installed package first: `pip install` puts both into one prefix.
function(_assay_find_executable call test)
  set(here "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  find_program(ASSAY_EXECUTABLE assay HINTS "${here}/../../../bin" "${here}/../../../../bin"
               DOC "The assay command, for assay_add_comparison")
  if(NOT ASSAY_EXECUTABLE)
    message(WARNING "${call}: no `assay` command found: the test ${test} is disabled; "
                    "try pip install assay, or -DASSAY_EXECUTABLE=/path/to/assay")
  endif()
endfunction()

function(_assay_side result side)
  if(TARGET "${side}")
    set(side "$<TARGET_FILE:${side}>")
  elseif(NOT side MATCHES "^([a-z]+:|\\$<)")
    get_filename_component(side "${side}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  set(${result} "${side}" PARENT_SCOPE)
endfunction()

function(_assay_write_comparison_script script name timeout_s words)
  file(
    GENERATE
    OUTPUT "${script}"
    CONTENT
      "include([====[${CMAKE_CURRENT_FUNCTION_LIST_DIR}/AssayRun.cmake]====])
assay_begin_comparison(${name} [====[${CMAKE_BINARY_DIR}]====] [====[${ASSAY_EXECUTABLE}]====])
execute_process(
  COMMAND [====[${ASSAY_EXECUTABLE}]====] compare${words}
          --json \"\${ASSAY_RESULTS}\" -o \"\${ASSAY_RECORD}\"
  WORKING_DIRECTORY [====[${CMAKE_CURRENT_BINARY_DIR}]====]
  TIMEOUT ${timeout_s} RESULT_VARIABLE result)
assay_end_comparison(${name} \"\${result}\")
")
endfunction()

function(_assay_add_compare_target target script)
  set(built "")
  foreach(side IN LISTS ARGN)
    if(TARGET "${side}")
      list(APPEND built "${side}")
    endif()
  endforeach()
  _assay_add_run_target(${target} "${script}" ${built})
endfunction()
