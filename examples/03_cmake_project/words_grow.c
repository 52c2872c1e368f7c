/* As first written: the text grows by one word at a time. */
#include "words.h"

#include <stdlib.h>
#include <string.h>

char* join_words(const char* const* words, size_t count) {
  char* text = calloc(1, 1);
  for (size_t i = 0; text != NULL && i < count; ++i) {
    const size_t length = strlen(text) + strlen(words[i]);
    char* grown = realloc(text, length + 2);
    if (grown == NULL) {
      free(text);
      return NULL;
    }
    text = grown;
    if (i > 0) strcat(text, " ");
    strcat(text, words[i]);
  }
  return text;
}
