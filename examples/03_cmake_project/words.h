/* Joins words with spaces between them. A C library: C callers need no C++. */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* To be freed by the caller; NULL when out of memory. */
char* join_words(const char* const* words, size_t count);

#ifdef __cplusplus
}
#endif

#endif
