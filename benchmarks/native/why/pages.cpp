// A cache of pages that is written out now and then: what differs is what it allocates and what it
// asks of the kernel. Lines are put into effect as log.cpp says.
//@ pages_box       | allocation | Cache::find
//@ pages_key       | allocation | key_of
//@ pages_copy      | allocation | checksum_of
//@ pages_format    | allocation | describe
//@ pages_realloc   | allocation | Batch::add
//@ pages_larger    | allocation | Cache::fresh
//@ pages_kept      | allocation | Batch
//@ pages_template  | allocation | push
//@ pages_calloc    | allocation | zeroed
//@ pages_sync      | system call | Device::write_page
//@ pages_split     | system call | Device::write_page
//@ pages_stat      | system call | is_there
//@ pages_seek      | system call | Device::read_page
//@ pages_time      | system call | stamp
//@ pages_open      | system call | Device::reopened
//@ pages_yield     | system call | Lock::take
//@ pages_map       | system call | scratch
#include <benchmark/benchmark.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

using Page = std::array<char, 512>;

__attribute__((noinline)) std::string key_of(int number) {
  //+pages_key return "the page whose number is: " + std::to_string(number);
  return std::string(1, char('a' + number % 16));
}

__attribute__((noinline)) unsigned checksum_of(const std::vector<char>& bytes) {
  //+pages_copy std::vector<char> copy(bytes);
  //+pages_copy benchmark::DoNotOptimize(copy.data());
  unsigned sum = 0;
  for (const char byte : bytes) sum = sum * 31 + unsigned(byte);
  return sum;
}

__attribute__((noinline)) int describe(unsigned sum) {
  char text[40];
  const int size = std::snprintf(text, sizeof text, "sum %u", sum);
  //+pages_format const std::string kept = std::string(text) + " of a page read from a device";
  //+pages_format return int(kept.size());
  return size;
}

template <int size>
struct Ring {
  inline void push(int value) {
    //+pages_template auto* const slot = new int(value);
    //+pages_template benchmark::DoNotOptimize(slot);
    //+pages_template delete slot;
    slots[unsigned(next++) % size] = value;
  }
  std::array<int, size> slots{};
  int next = 0;
};

__attribute__((noinline)) char* zeroed(std::size_t size) {
  static char buffer[512];
  //+pages_calloc void* const more = std::calloc(2, size);
  //+pages_calloc benchmark::DoNotOptimize(more);
  //+pages_calloc std::free(more);
  std::memset(buffer, 0, size);
  return buffer;
}

class Batch {
 public:
  Batch() {
    //+pages_kept names_.reserve(64);
    sizes_.reserve(16);
  }
  __attribute__((noinline)) void add(int size) {
    //+pages_realloc sizes_.shrink_to_fit();
    sizes_.push_back(size);
  }
  std::size_t count() const { return sizes_.size(); }

 private:
  std::vector<int> sizes_;
  std::vector<int> names_;
};

class Cache {
 public:
  __attribute__((noinline)) const Page* find(const std::string& key) {
    //+pages_box const auto boxed = std::make_unique<std::string>(key);
    //+pages_box const std::string& key_there = *boxed;
    //+pages_box benchmark::DoNotOptimize(key_there.data());
    const auto found = pages_.find(key);
    return found == pages_.end() ? nullptr : &found->second;
  }
  __attribute__((noinline)) std::unique_ptr<char[]> fresh() {
    //+pages_larger return std::make_unique<char[]>(4000);
    return std::make_unique<char[]>(sizeof(Page));
  }

 private:
  std::map<std::string, Page> pages_{{"a", {}}, {"b", {}}};
};

__attribute__((noinline)) long stamp() {
  //+pages_time timespec now{};
  //+pages_time syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  //+pages_time return now.tv_nsec;
  return 7;
}

struct Lock {
  __attribute__((noinline)) void take() {
    //+pages_yield sched_yield();
    ++taken;
  }
  int taken = 0;
};

__attribute__((noinline)) int scratch() {
  //+pages_map const int access = PROT_READ | PROT_WRITE;
  //+pages_map void* const got = mmap(nullptr, 8192, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  //+pages_map static_cast<char*>(got)[0] = 1;
  //+pages_map munmap(got, 8192);
  return 1;
}

class Device {
 public:
  Device() : file_(memfd_create("pages", 0)) { write_page(Page{}); }
  ~Device() { close(file_); }

  __attribute__((noinline)) void write_page(const Page& page) {
    //+pages_split pwrite(file_, page.data(), 256, 0);
    //+pages_split pwrite(file_, page.data() + 256, 256, 256);
    check(pwrite(file_, page.data(), page.size(), 0));  //-pages_split
    //+pages_sync fsync(file_);
  }
  __attribute__((noinline)) void read_page(Page& page) {
    //+pages_seek lseek(file_, 0, SEEK_SET);
    check(pread(file_, page.data(), page.size(), 0));
  }
  inline bool is_there() {
    //+pages_stat struct stat status {};
    //+pages_stat return fstat(file_, &status) == 0;
    return file_ >= 0;
  }
  __attribute__((noinline)) int reopened() {
    //+pages_open close(open("/dev/null", O_RDONLY));
    return file_;
  }

 private:
  static void check(ssize_t done) {
    if (done != ssize_t(sizeof(Page))) std::abort();
  }
  int file_;
};

void BM_pages(benchmark::State& state) {
  Device device;
  Cache cache;
  Lock lock;
  Ring<8> ring;
  std::vector<char> bytes(300, 'x');
  Page page{};
  int number = 0;
  for (auto _ : state) {
    Batch batch;
    lock.take();
    const auto memory = cache.fresh();
    benchmark::DoNotOptimize(memory.get());
    benchmark::DoNotOptimize(cache.find(key_of(++number % 16)));
    benchmark::DoNotOptimize(describe(checksum_of(bytes)));
    benchmark::DoNotOptimize(zeroed(page.size()));
    ring.push(number);
    benchmark::DoNotOptimize(ring.slots);
    for (int i = 0; i < 4; ++i) batch.add(i);
    if (device.is_there()) device.write_page(page);
    device.read_page(page);
    benchmark::DoNotOptimize(device.reopened() + stamp() + scratch());
    benchmark::DoNotOptimize(batch.count());
  }
}
BENCHMARK(BM_pages);

}  // namespace

BENCHMARK_MAIN();
