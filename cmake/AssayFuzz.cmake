# Fuzz targets, for the presets that ask for them: `cmake --preset fuzz`.
include_guard(GLOBAL)

option(ASSAY_BUILD_FUZZERS "Build the fuzz targets; needs clang and its runtime library" OFF)

# assay_add_fuzzer(NAME source...): libFuzzer with AddressSanitizer, in build/fuzz/tests. The sources
# are those of the reader, compiled once more: all of it is instrumented.
function(assay_add_fuzzer name)
  if(NOT ASSAY_BUILD_FUZZERS)
    return()
  endif()
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE assay_base)
  assay_configure(${name})
  target_compile_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined
                                         -fno-sanitize-recover=all)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  if(ASSAY_BUILD_TESTS)
    add_test(NAME fuzz:${name} COMMAND ${name} -max_total_time=3)
  endif()
endfunction()
