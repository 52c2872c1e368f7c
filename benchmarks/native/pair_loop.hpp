// The program whose allocations are timed: one malloc/free pair after the other. Compiled
// once and linked into every side, so that only what malloc does differs.
#pragma once

#include <cstddef>

struct Allocator {
  void* (*allocate)(std::size_t);  // null: call malloc and free by name, as programs do
  void (*release)(void*);
};

/// Prints the nanoseconds a pair takes: the fastest of many short stretches, since
/// interruptions only ever add. With several threads, all at it at once: their mean.
/// Returns main's exit code.
int time_pairs(int threads, Allocator allocator = {nullptr, nullptr});

/// How many threads the last argument asks for: a number, or else 1.
int threads_in(int argc, char** argv);
