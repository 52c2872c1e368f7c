// Purpose: how the benchmark executable was built, as its own translation unit saw it.
//
//   const assay::BuildFacts facts = ASSAY_BUILD_FACTS;  // a macro, in the user's source
//
// It is a macro because an inline function would describe whichever translation unit's copy the
// linker kept.
//
// Errors: none; an unknown compiler is "unknown". Thread safety: a value. Cost: none to the
// measurement: all is known when it is compiled.
#pragma once

#include <string>

namespace assay {

struct BuildFacts {
  std::string compiler{};  // gcc, clang or unknown
  std::string compiler_version{};
  long cplusplus{0};        // __cplusplus: 202002 is C++20
  bool optimised{false};    // __OPTIMIZE__ is defined
  bool assertions{false};   // NDEBUG is not defined
  std::string sanitizer{};  // address or thread; empty: none
  std::string type{};       // CMake's build type; empty: not known
};

/// Why figures from this build should not be trusted; empty when nothing is wrong.
std::string build_warning(const BuildFacts& build);

}  // namespace assay

#if defined(__clang__)
#define ASSAY_BUILD_COMPILER "clang"
#elif defined(__GNUC__)
#define ASSAY_BUILD_COMPILER "gcc"
#else
#define ASSAY_BUILD_COMPILER "unknown"
#endif

#if defined(__VERSION__)
#define ASSAY_BUILD_COMPILER_VERSION __VERSION__
#else
#define ASSAY_BUILD_COMPILER_VERSION ""
#endif

#if defined(__OPTIMIZE__)
#define ASSAY_BUILD_OPTIMISED true
#else
#define ASSAY_BUILD_OPTIMISED false
#endif

#if defined(NDEBUG)
#define ASSAY_BUILD_ASSERTIONS false
#else
#define ASSAY_BUILD_ASSERTIONS true
#endif

#if defined(__has_feature)
#define ASSAY_HAS_FEATURE(feature) __has_feature(feature)
#else
#define ASSAY_HAS_FEATURE(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || ASSAY_HAS_FEATURE(address_sanitizer)
#define ASSAY_BUILD_SANITIZER "address"
#elif defined(__SANITIZE_THREAD__) || ASSAY_HAS_FEATURE(thread_sanitizer)
#define ASSAY_BUILD_SANITIZER "thread"
#else
#define ASSAY_BUILD_SANITIZER ""
#endif

#if !defined(ASSAY_BUILD_TYPE)
#define ASSAY_BUILD_TYPE ""
#endif

#define ASSAY_BUILD_FACTS                                                                   \
  ::assay::BuildFacts {                                                                     \
    ASSAY_BUILD_COMPILER, ASSAY_BUILD_COMPILER_VERSION, __cplusplus, ASSAY_BUILD_OPTIMISED, \
        ASSAY_BUILD_ASSERTIONS, ASSAY_BUILD_SANITIZER, ASSAY_BUILD_TYPE                     \
  }
