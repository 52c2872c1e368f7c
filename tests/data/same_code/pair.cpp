// A library whose functions and data exchange their names if SWAPPED is defined.
#ifdef SWAPPED
#define ONE two
#define TWO one
#define LOW high
#define HIGH low
#else
#define ONE one
#define TWO two
#define LOW low
#define HIGH high
#endif

extern "C" {
int ONE(int x) {
  return x * 3 + 1;
}
int TWO(int x) {
  return x ^ 21;
}
extern const int LOW[4] = {1, 2, 3, 4};
extern const int HIGH[4] = {5, 6, 7, 8};
}
