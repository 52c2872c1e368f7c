# assay_left_out(WHAT REASON): says that WHAT is not built, and why. All of them are written to
# left_out.txt of the build folder, which `./dev test` shows at its end.
function(assay_left_out what reason)
  message(STATUS "assay: left out: ${what}: ${reason}")
  set_property(GLOBAL APPEND_STRING PROPERTY ASSAY_LEFT_OUT "${what}: ${reason}\n")
endfunction()

function(assay_write_left_out)
  get_property(lines GLOBAL PROPERTY ASSAY_LEFT_OUT)
  file(WRITE "${PROJECT_BINARY_DIR}/left_out.txt" "${lines}")
endfunction()
