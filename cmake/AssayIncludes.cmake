# assay_include_as_installed(NAME...): folders and headers of the current source folder, as
# <assay/NAME...> in this build. The core and the labs lie in different folders of the tree, and
# where they are installed side by side.
function(assay_include_as_installed)
  set(includes "${PROJECT_BINARY_DIR}/include/assay")
  if(IS_SYMLINK "${includes}") # a build folder from before the labs had a folder of their own
    file(REMOVE "${includes}")
  endif()
  file(MAKE_DIRECTORY "${includes}")
  foreach(name ${ARGV})
    file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}/${name}" "${includes}/${name}" SYMBOLIC)
  endforeach()
endfunction()
