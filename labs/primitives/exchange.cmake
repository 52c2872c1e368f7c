# The groups about calling, waiting and exchanging.

assay_suite_group(lock SOURCES lock/lock.cpp TESTS lock/lock_test.cpp THREADED)
assay_suite_group(callback SOURCES callback/callback.cpp TESTS callback/callback_test.cpp)
assay_suite_group(future SOURCES future/future.cpp TESTS future/future_test.cpp THREADED)

if(ASSAY_HAVE_COROUTINES)
  if(ASSAY_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # clang 14 makes no object of a coroutine whose calls it checks.
    set_source_files_properties(coroutine/coroutine.cpp PROPERTIES COMPILE_OPTIONS -fno-sanitize=function)
  endif()
  assay_suite_group(coroutine SOURCES coroutine/coroutine.cpp TESTS coroutine/coroutine_test.cpp)
else()
  assay_left_out("in the primitives suite, coroutines" "this compiler has none")
endif()

# ---- timer_queue -----------------------------------------------------------------------------
assay_suite_group(timer_queue SOURCES timer_queue/timer_queue.cpp
                  TESTS timer_queue/timer_queue_test.cpp
                  LIBRARIES ${boost}
                  SMALL --benchmark_filter=-timers:1000000)
assay_suite_part(timer_queue Boost_FOUND "pairing heap (Boost)" timer_queue/timer_queue_boost.cpp)

# ---- transport -------------------------------------------------------------------------------
assay_suite_group(transport SOURCES transport/transport.cpp transport/transport_types.cpp
                  TESTS transport/transport_test.cpp
                  LIBRARIES ${boost} THREADED)
assay_suite_part(transport have_asio "transports with Asio" transport/transport_asio.cpp)

include(serialization/serialization.cmake)
