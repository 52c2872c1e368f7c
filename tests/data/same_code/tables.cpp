// Tables of distances from themselves, as compilers make them, and tables of numbers that look like
// such. They are written in assembly, because each compiler makes them in cases of its own.
#include <benchmark/benchmark.h>

#ifndef SECOND
#define SECOND second_text
#endif
#ifndef SAID
#define SAID "second"
#endif
#ifndef TAKEN
#define TAKEN 2b
#endif
#ifndef ASIDE_CASE
#define ASIDE_CASE 1b
#endif
#ifndef NUMBER
#define NUMBER 32
#endif
#ifndef PLACE
#define PLACE 2
#endif
#ifndef LATE
#define LATE 7
#endif
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

asm(R"(
  .pushsection .rodata
  .balign 64
first_text: .asciz "first"
  .balign 16
second_text: .asciz ")" SAID R"("
  .balign 16
third_text: .asciz "third"
  .balign 16
.Ltexts: .long first_text - .Ltexts, )" TEXT(SECOND) R"( - .Ltexts
  .balign 16
  .type named_texts, @object
  .size named_texts, 8
named_texts: .long first_text - named_texts, )" TEXT(SECOND) R"( - named_texts
  .balign 64
  .type numbers, @object
  .size numbers, 8
numbers: .long 16, )" TEXT(NUMBER) R"(
  .zero 56
  .type cut_table, @object
  .size cut_table, 32
cut_table: .long 1, 2, 3, 4, 5, 6, )" TEXT(LATE) R"(, 8
  .popsection

  .pushsection .text
  .type by_distance, @function
by_distance:  # what is behind the second distance, or the first
  lea .Ltexts(%rip), %rdx
  movslq (%rdx,%rdi,4), %rax
  add %rdx, %rax
  movzbl (%rax), %eax
  ret
  .size by_distance, . - by_distance
  .type by_named_texts, @function
by_named_texts:
  lea named_texts(%rip), %rdx
  movslq (%rdx,%rdi,4), %rax
  add %rax, %rdx
  movzbl (%rdx), %eax
  ret
  .size by_named_texts, . - by_named_texts
  .type by_number, @function
by_number:  # the same, without adding the address
  lea numbers(%rip), %rdx
  movslq (%rdx,%rdi,4), %rax
  add %rdi, %rax
  ret
  .size by_number, . - by_number

  .type by_case, @function
by_case:  # jumps only if its argument is 0 or 1
  lea .Lcases(%rip), %rdx
  cmp $1, %rdi
  ja 4f
  movslq (%rdx,%rdi,4), %rax
  add %rdx, %rax
  jmp *%rax
1: mov $1, %eax
  ret
2: mov $2, %eax
  ret
3: mov $3, %eax
  ret
4: mov $4, %eax
  ret
  .pushsection .rodata
  .balign 4
.Lcases: .long )" TEXT(ASIDE_CASE) R"( - .Lcases, )" TEXT(TAKEN) R"( - .Lcases
  .popsection
  .size by_case, . - by_case

  .type by_place, @function
by_place:  # numbers that are distances to code, and are not used as such
  lea .Lplaces(%rip), %rdx
  movslq (%rdx,%rdi,4), %rax
  lea 1f(%rip), %rcx
  cmp %rax, %rcx
1: ret
2: nop
3: ret
  .pushsection .rodata
  .balign 4
.Lplaces: .long 1b - .Lplaces, )" TEXT(PLACE) R"(b - .Lplaces
  .popsection
  .size by_place, . - by_place

  .type by_cut, @function
by_cut:
  lea cut_table(%rip), %rdx
  mov (%rdx,%rdi,4), %eax
  ret
  .size by_cut, . - by_cut
  .type reads_the_middle, @function
reads_the_middle:  # never called: without symbols the table seems to end here
  mov cut_table+12(%rip), %eax
  ret
  .size reads_the_middle, . - reads_the_middle
  .popsection
)");

extern "C" long by_distance(long), by_named_texts(long), by_number(long), by_case(long),
    by_place(long), by_cut(long);

#define CALLING(NAME, ARGUMENT)                                                \
  static void BM_##NAME(benchmark::State& state) {                             \
    long i = 0;                                                                \
    for (auto _ : state) benchmark::DoNotOptimize(by_##NAME((++i, ARGUMENT))); \
  }                                                                            \
  BENCHMARK(BM_##NAME)

CALLING(distance, i & 1);
CALLING(named_texts, i & 1);
CALLING(number, i & 1);
CALLING(case, 1);
static void BM_no_case(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(by_case(2));
}
BENCHMARK(BM_no_case);
CALLING(place, i & 1);
CALLING(cut, i & 7);
