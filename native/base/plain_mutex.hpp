// Purpose: a mutex for code that is loaded into programs of others: std::mutex throws, and so needs
// the C++ library, which a program written in C does not have.
//
//   constinit PlainMutex mutex;
//
//   const std::lock_guard lock(mutex);
//
// Errors: none; a mutex of this kind can always be locked. Thread safety: any thread.
#pragma once

#include <pthread.h>

namespace assay {

class PlainMutex {
 public:
  void lock() noexcept { pthread_mutex_lock(&mutex_); }
  void unlock() noexcept { pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

}  // namespace assay
