/* Improved: the length is summed up first, so memory is allocated once. */
#include "words.h"

#include <stdlib.h>
#include <string.h>

char* join_words(const char* const* words, size_t count) {
  size_t length = 1;
  for (size_t i = 0; i < count; ++i) length += strlen(words[i]) + 1;
  char* text = malloc(length);
  if (text == NULL) return NULL;
  char* end = text;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) *end++ = ' ';
    const size_t word_length = strlen(words[i]);
    memcpy(end, words[i], word_length);
    end += word_length;
  }
  *end = '\0';
  return text;
}
