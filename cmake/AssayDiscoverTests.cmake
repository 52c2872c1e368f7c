include(GoogleTest)

# assay_discover_tests(TARGET [THREADED] [more of gtest_discover_tests])
#
# THREADED: threads run in these tests, so CI runs them under ThreadSanitizer as well; they have
# the label `threads`, and the target assay_threaded_tests builds them and what they start.
add_custom_target(assay_threaded_tests)

function(assay_discover_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "THREADED" "" "")
  set(labels "")
  if(arg_THREADED)
    set(labels LABELS threads)
    add_dependencies(assay_threaded_tests ${target})
  endif()
  gtest_discover_tests(${target} ${arg_UNPARSED_ARGUMENTS} PROPERTIES TIMEOUT 120 ${labels}
                       DISCOVERY_TIMEOUT 30)
endfunction()
