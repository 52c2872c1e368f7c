// What the benchmarks of loops.cpp call. Each test builds it once more with one macro defined
// otherwise, so that exactly one thing differs between the two sides.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#ifndef CONSTANT
#define CONSTANT 31
#endif
#ifndef ELEMENT
#define ELEMENT 77
#endif
#ifndef WORD
#define WORD "carrot"
#endif
#ifndef SEED
#define SEED 5
#endif
#ifndef START
#define START 3
#endif
#ifndef ORDER
#define ORDER i
#endif
#ifndef PICKED
#define PICKED Square
#endif
#ifndef NEIGHBOUR
#define NEIGHBOUR 8
#endif
#ifndef RARE
#define RARE 1
#endif
#ifndef UNUSED
#define UNUSED 1
#endif
#ifndef STEPS
#define STEPS 16
#endif

// Never called: whatever it does is no part of any benchmark.
extern "C" int never_called(int x) {
  return x * UNUSED + UNUSED * UNUSED;
}

static const int kTable[8] = {3, 1, 4, ELEMENT, 5, 9, 2, 6};
static const char* const kWords[3] = {"apple", WORD, "onion"};
static std::uint32_t weights[64];
static const bool filled = [] {
  for (unsigned i = 0; i < 64; ++i) weights[i] = i * SEED + 1;
  return true;
}();

struct Shape {
  virtual ~Shape() = default;
  virtual int area(int x) const = 0;
};
struct Square : Shape {
  int area(int x) const override { return x * x; }
};
struct Doubled : Shape {
  int area(int x) const override { return x + x; }
};

char beside_before[NEIGHBOUR] = {1};  // one of the two lies behind `counter`: compilers differ
alignas(64) int counter = START;
char beside_after[NEIGHBOUR] = {1};

int by_constant(int x) {
  return x * CONSTANT ^ (x >> 2);
}
int by_table(int x) {
  return kTable[x & 7];
}
unsigned by_word(int x) {
  return static_cast<unsigned>(std::strlen(kWords[x % 3])) + kWords[x % 3][0];
}
unsigned by_weight(int x) {
  return weights[x & 63];
}
int by_counter(int x) {
  return counter += x & 1;
}
Shape* new_shape() {
  return new PICKED;
}
int by_switch(int x) {
  switch (x & 7) {
    case 0:
      return x + 1;
    case 1:
      return x ^ 5;
    case 2:
      return x * 3;
    case 3:
      return x >> 1;
    case 4:
      return x - 9;
    case 5:
      return x | 64;
    case 6:
      return x & 12;
    default:
      return -x;
  }
}
int by_rare(int x) {
  if (x % 1000 == 999) return x * RARE;
  return x + 2;
}
std::vector<int> filled_in_order() {
  std::vector<int> made(256);
  for (int i = 0; i < 256; ++i) made[ORDER] = i % 7;
  return made;
}
int by_steps(int x) {
  int sum = 0;
  for (int i = 0; i < STEPS; ++i) sum += (x ^ i) * i;
  return sum;
}
int from_file() {
  int sum = 0;
  if (std::FILE* file = std::fopen(std::getenv("SAME_CODE_INPUT"), "r")) {
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) sum += c;
    std::fclose(file);
  }
  return sum;
}
int area(const Shape& shape, int x) {
  return shape.area(x);
}
