// Purpose: what a library that is loaded into programs of others asks of them. The compiler puts it
// before each source of such a library (assay_preloaded_library of native/measure/CMakeLists.txt).
//
//   void* const next = dlsym(RTLD_NEXT, "getpid");  // of GLIBC_2.2.5, not of 2.34
//
// It names the oldest version of each function that glibc 2.34 gave a new one, so that the library
// can be loaded where glibc is older than where it was built. Whether one is missing here is tested
// by tests/python/packaging/test_old_glibc.py.
//
// Errors: none; where there is no glibc, nothing is named.
#pragma once

#include <features.h>

#if defined(__x86_64__)
#define ASSAY_OLDEST "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define ASSAY_OLDEST "GLIBC_2.17"
#endif

#if defined(__GLIBC__) && defined(ASSAY_OLDEST)
#define ASSAY_USE_OLDEST(name) __asm__(".symver " #name "," #name "@" ASSAY_OLDEST)
ASSAY_USE_OLDEST(dlsym);
ASSAY_USE_OLDEST(pthread_key_create);
ASSAY_USE_OLDEST(pthread_once);
ASSAY_USE_OLDEST(pthread_setspecific);
#undef ASSAY_USE_OLDEST
#endif

// operator new that may not throw catches what the other throws. Only the C++ library of the
// program can do that; a program without one is loaded all the same, and never calls operator new.
__asm__(".weak __gxx_personality_v0");
__asm__(".weak __cxa_begin_catch");
__asm__(".weak __cxa_end_catch");
