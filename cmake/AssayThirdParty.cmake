# assay_third_party(NAME INSIDE|LINKED VERSION): says that this build has something that others made,
# NAME of requirements/native.toml. INSIDE: its code is in our files, by a header or a static
# library. LINKED: it is found on the machine when our programs start. VERSION: the one built with.
function(assay_third_party name how version)
  set_property(GLOBAL APPEND_STRING PROPERTY ASSAY_THIRD_PARTY "${name} ${how} ${version}\n")
endfunction()

# What every build has, once it is known how it is linked.
function(_assay_third_party_of_core)
  set(compiler "")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(compiler "${CMAKE_CXX_COMPILER_VERSION}")
  endif()
  # Of the headers: this machine's own library is another one where one machine builds for another.
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -E -dM -x c++ -include features.h /dev/null
                  OUTPUT_VARIABLE macros ERROR_QUIET)
  set(libc "")
  if(macros MATCHES "#define __GLIBC__ ([0-9]+)")
    set(libc "${CMAKE_MATCH_1}")
    string(REGEX MATCH "#define __GLIBC_MINOR__ ([0-9]+)" minor "${macros}")
    string(APPEND libc ".${CMAKE_MATCH_1}")
  endif()
  set(how LINKED)
  if(ASSAY_HAVE_STATIC_LINKING)
    set(how INSIDE) # of assay-launch
  endif()
  assay_third_party(gcc-runtime INSIDE "${compiler}")
  assay_third_party(glibc ${how} "${libc}")
  assay_third_party(linux-headers LINKED "")
  file(STRINGS "${ZLIB_INCLUDE_DIR}/zlib.h" zlib REGEX "^#define ZLIB_VERSION ")
  string(REGEX MATCH "[0-9.]+" zlib "${zlib}")
  assay_third_party(zlib LINKED "${zlib}")
  if(ASSAY_HAVE_RECORD)
    assay_third_party(nlohmann-json INSIDE "${nlohmann_json_VERSION}")
  endif()
  if(ASSAY_HAVE_BRIDGE)
    assay_third_party(google-benchmark LINKED "${benchmark_VERSION}")
  endif()
  if(ASSAY_HAVE_LIBPFM)
    get_filename_component(pfm "${ASSAY_LIBPFM_LIBRARY}" REALPATH)
    string(REGEX MATCH "[0-9]+\\.[0-9.]+[0-9]" pfm "${pfm}")
    assay_third_party(libpfm4 LINKED "${pfm}")
  endif()
endfunction()

# What the labs found, by the entry of the cache that says where it is.
function(_assay_third_party_of_labs)
  foreach(one abseil/absl_DIR boost/Boost_DIR cli11/CLI11_DIR
              concurrentqueue/ASSAY_CONCURRENTQUEUE_INCLUDE
              readerwriterqueue/ASSAY_READERWRITERQUEUE_INCLUDE
              flatbuffers/ASSAY_FLATBUFFERS_INCLUDE)
    _assay_third_party_found(${one} INSIDE)
  endforeach()
  foreach(one capnproto/ASSAY_CAPNP_LIBRARY leveldb/ASSAY_leveldb_LIBRARY
              lmdb/ASSAY_lmdb_LIBRARY
              msgpack-c/ASSAY_MSGPACK_LIBRARY pmdk/ASSAY_pmemobj_LIBRARY
              protobuf/Protobuf_LIBRARY_RELEASE rocksdb/ASSAY_rocksdb_LIBRARY
              sqlite/ASSAY_sqlite3_LIBRARY tbb/TBB_DIR xxhash/ASSAY_XXHASH_LIBRARY)
    _assay_third_party_found(${one} LINKED)
  endforeach()
endfunction()

function(_assay_third_party_found one how)
  get_filename_component(name "${one}" DIRECTORY)
  get_filename_component(variable "${one}" NAME)
  if(${variable})
    assay_third_party(${name} ${how} "")
  endif()
endfunction()

# For a wheel: the list of all this (SBOM), where PEP 770 says.
function(assay_write_sbom)
  find_package(Python REQUIRED COMPONENTS Interpreter)
  _assay_third_party_of_core()
  set(labs_with_libraries ${ASSAY_LABS})
  list(REMOVE_ITEM labs_with_libraries os)
  if(ASSAY_BUILD_LABS AND labs_with_libraries)
    _assay_third_party_of_labs()
  endif()
  get_property(lines GLOBAL PROPERTY ASSAY_THIRD_PARTY)
  file(WRITE "${PROJECT_BINARY_DIR}/third_party.txt" "${lines}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/pyproject.toml"
               "${PROJECT_SOURCE_DIR}/tools/sbom.py" "${PROJECT_SOURCE_DIR}/requirements/native.toml"
               "${PROJECT_SOURCE_DIR}/requirements/runtime.txt")
  execute_process(
    COMMAND "${Python_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/sbom.py"
            "${PROJECT_BINARY_DIR}/third_party.txt" "${PROJECT_BINARY_DIR}/assay.cdx.json"
    RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "tools/sbom.py: ${failed}")
  endif()
  install(FILES "${PROJECT_BINARY_DIR}/assay.cdx.json" DESTINATION "${SKBUILD_METADATA_DIR}/sboms"
          COMPONENT runtime)
endfunction()
