# assay_configure(TARGET): the warnings and sanitizers every target of this project gets.
function(assay_configure target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_options(
    ${target}
    PRIVATE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            -Wsign-conversion
            -Wold-style-cast
            -Wnon-virtual-dtor
            -Woverloaded-virtual
            -Wcast-align
            -Wcast-qual
            -Wdouble-promotion
            -Wformat=2
            -Wundef
            -Wunused
            # g++ 12 sees overlap in operator+(const char*, std::string) (GCC bug 105651).
            $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
            $<$<BOOL:${ASSAY_WERROR}>:-Werror>)
  if(ASSAY_SANITIZE)
    # No null check from g++: it tests the flags of an addition that ld, relaxing access to
    # thread-local variables, turns into a lea, and so sees null where there is none. Null is
    # caught by address all the same.
    target_compile_options(${target} PRIVATE -fsanitize=${ASSAY_SANITIZE} -fno-sanitize-recover=all
                                             -fno-sanitize=null -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${ASSAY_SANITIZE})
  endif()
endfunction()

# assay_install_private(TARGET): to libexec/assay, out of the user's PATH, in the build tree too.
function(assay_install_private target)
  set_target_properties(
    ${target}
    PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/libexec/assay"
               INSTALL_RPATH "$ORIGIN/../../${CMAKE_INSTALL_LIBDIR}"
               INSTALL_RPATH_USE_LINK_PATH ON)
  if(ASSAY_INSTALL)
    install(TARGETS ${target} RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/assay"
                                      COMPONENT runtime)
  endif()
endfunction()
