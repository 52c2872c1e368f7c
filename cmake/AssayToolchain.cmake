# Compiler-wide settings, applied only to this project's own targets where that matters.
include(GNUInstallDirs)

if(ASSAY_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    # A benchmark built without optimisation measures the compiler's absence.
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(ASSAY_CCACHE ccache)
  mark_as_advanced(ASSAY_CCACHE)
  if(ASSAY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # What is compiled in one clone serves another: paths below this folder are hashed as relative
    # ones. Debug information names the folder; only where nothing reads it may that one differ.
    set(assay_ccache_settings "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}")
    if(ASSAY_SANITIZE)
      list(APPEND assay_ccache_settings "CCACHE_NOHASHDIR=1")
    endif()
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env ${assay_ccache_settings} "${ASSAY_CCACHE}")
  endif()
endif()

find_package(Threads REQUIRED)
include(CheckCXXSourceCompiles)

# A user's own -fsanitize flags count as much as ours: interposing malloc below a
# sanitizer hides allocations from it.
if(ASSAY_SANITIZE OR CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(ASSAY_SANITIZED ON)
else()
  set(ASSAY_SANITIZED OFF)
endif()

if(NOT ASSAY_SANITIZED)
  set(CMAKE_REQUIRED_LINK_OPTIONS -static)
  check_cxx_source_compiles("int main() { return 0; }" ASSAY_HAVE_STATIC_LINKING)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
endif()

# Which file implements interposition: glibc's dynamic linker is what it relies on.
check_cxx_source_compiles(
  "#include <features.h>
   #ifndef __GLIBC__
   #error not glibc
   #endif
   #ifndef __LP64__
   #error not LP64
   #endif
   int main() { return 0; }"
  ASSAY_HAVE_GLIBC)
