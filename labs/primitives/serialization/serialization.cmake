# The serialization group. Code for the schemas is generated here, at build time, and is other
# people's: its headers are system headers, its sources get no warnings of ours.
set(schemas "${CMAKE_CURRENT_SOURCE_DIR}/serialization/schemas")
set(generated "${CMAKE_CURRENT_BINARY_DIR}/serialization_generated")
file(MAKE_DIRECTORY "${generated}")
set(generated_files "")
set(sources serialization/serialization.cpp serialization/serialization_memcpy.cpp
            serialization/serialization_json.cpp)
set(libraries nlohmann_json::nlohmann_json)

# _assay_generate(SCHEMA OUTPUTS file... COMMAND ...)
function(_assay_generate schema)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OUTPUTS;COMMAND")
  list(TRANSFORM arg_OUTPUTS PREPEND "${generated}/")
  add_custom_command(OUTPUT ${arg_OUTPUTS} COMMAND ${arg_COMMAND} "${schemas}/${schema}"
                     DEPENDS "${schemas}/${schema}" VERBATIM)
  list(APPEND generated_files ${arg_OUTPUTS})
  set(generated_files ${generated_files} PARENT_SCOPE)
endfunction()

find_path(ASSAY_FLATBUFFERS_INCLUDE flatbuffers/flatbuffers.h)
find_program(ASSAY_FLATC flatc)
mark_as_advanced(ASSAY_FLATBUFFERS_INCLUDE ASSAY_FLATC)
if(ASSAY_FLATBUFFERS_INCLUDE AND ASSAY_FLATC)
  _assay_generate(records.fbs OUTPUTS records_generated.h
                  COMMAND "${ASSAY_FLATC}" --cpp -o "${generated}")
  list(APPEND sources serialization/serialization_flatbuffers.cpp)
else()
  assay_left_out("in the primitives suite, serialization with FlatBuffers" "its library or its compiler not found")
endif()

find_package(Protobuf QUIET)
if(Protobuf_FOUND AND TARGET protobuf::protoc)
  _assay_generate(records.proto OUTPUTS records.pb.cc records.pb.h
                  COMMAND protobuf::protoc "--cpp_out=${generated}" "--proto_path=${schemas}")
  list(APPEND sources serialization/serialization_protobuf.cpp)
  list(APPEND libraries protobuf::libprotobuf)
else()
  assay_left_out("in the primitives suite, serialization with Protocol Buffers" "its library or its compiler not found")
endif()

# Not its package config: that asks for libatomic, fatally, in a way that needs C enabled.
find_path(ASSAY_CAPNP_INCLUDE capnp/message.h)
find_library(ASSAY_CAPNP_LIBRARY capnp)
find_library(ASSAY_KJ_LIBRARY kj)
find_program(ASSAY_CAPNP capnp)
find_program(ASSAY_CAPNPC_CXX capnpc-c++)
mark_as_advanced(ASSAY_CAPNP_INCLUDE ASSAY_CAPNP_LIBRARY ASSAY_KJ_LIBRARY ASSAY_CAPNP
                 ASSAY_CAPNPC_CXX)
if(ASSAY_CAPNP_INCLUDE AND ASSAY_CAPNP_LIBRARY AND ASSAY_KJ_LIBRARY AND ASSAY_CAPNP
   AND ASSAY_CAPNPC_CXX)
  _assay_generate(records.capnp OUTPUTS records.capnp.c++ records.capnp.h
                  COMMAND "${ASSAY_CAPNP}" compile "-o${ASSAY_CAPNPC_CXX}:${generated}"
                          "--src-prefix=${schemas}" -I "${ASSAY_CAPNP_INCLUDE}")
  list(APPEND sources serialization/serialization_capnproto.cpp)
  list(APPEND libraries "${ASSAY_CAPNP_LIBRARY}" "${ASSAY_KJ_LIBRARY}")
else()
  assay_left_out("in the primitives suite, serialization with Cap'n Proto" "its library or its compiler not found")
endif()

find_path(ASSAY_MSGPACK_INCLUDE msgpack.h)
find_library(ASSAY_MSGPACK_LIBRARY NAMES msgpackc msgpack-c)
mark_as_advanced(ASSAY_MSGPACK_INCLUDE ASSAY_MSGPACK_LIBRARY)
if(ASSAY_MSGPACK_INCLUDE AND ASSAY_MSGPACK_LIBRARY)
  list(APPEND sources serialization/serialization_msgpack.cpp)
  list(APPEND libraries "${ASSAY_MSGPACK_LIBRARY}")
else()
  assay_left_out("in the primitives suite, serialization with MessagePack for C" "its library or its compiler not found")
endif()

if(generated_files)
  add_library(primitives_serialization_schemas STATIC ${generated_files})
  set_target_properties(primitives_serialization_schemas PROPERTIES LINKER_LANGUAGE CXX
                                                                    POSITION_INDEPENDENT_CODE ON)
  target_compile_features(primitives_serialization_schemas PUBLIC cxx_std_20)
  target_include_directories(primitives_serialization_schemas SYSTEM PUBLIC "${generated}")
  target_link_libraries(primitives_serialization_schemas PUBLIC ${libraries})
  list(PREPEND libraries primitives_serialization_schemas)
endif()

assay_suite_group(serialization SOURCES ${sources} TESTS serialization/serialization_test.cpp
                  LIBRARIES ${libraries})
