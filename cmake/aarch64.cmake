# Builds for aarch64 on another machine, with Debian's cross compiler (g++-aarch64-linux-gnu):
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake ...
#
# Of the libraries that Assay uses only the headers are read, which are the same for every machine:
# its own libraries are static, and its programs need none. So this machine's packages are found.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

file(GLOB assay_packages "/usr/lib/*-linux-gnu/cmake/benchmark")
set(benchmark_DIR "${assay_packages}" CACHE PATH "")
set(ZLIB_INCLUDE_DIR "/usr/include" CACHE PATH "")
foreach(library z pfm)
  file(GLOB assay_found "/usr/lib/*-linux-gnu/lib${library}.so")
  set(assay_lib${library} "${assay_found}")
endforeach()
set(ZLIB_LIBRARY "${assay_libz}" CACHE FILEPATH "")
set(ASSAY_LIBPFM_INCLUDE "/usr/include" CACHE PATH "")
set(ASSAY_LIBPFM_LIBRARY "${assay_libpfm}" CACHE FILEPATH "")
