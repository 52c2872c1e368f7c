// Records that are written out: system calls and allocations. See log.cpp for the comments.
//@ records_flush     | system call | Sink::put    | inlined
//@ records_clock     | system call | stamp        | inlined
//@ records_check     | system call | Guarded<     | inlined
//@ records_map       | system call | scratch      |
//@ records_gather    | allocation  | gather       |
//@ records_share     | allocation  | share        | inlined
//@ records_key       | allocation  | key_of       | inlined
//@ records_release   | allocation  | ~Batch       |
//@ records_walk      | cache       | walk         | inlined
//@ records_guess     | branches    | bounded      | inlined
//@ records_set_up    | set-up      | make_records |
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct Record {
  std::string name;
  std::uint32_t number = 0;
};

class Sink {
 public:
  Sink() : file_(open("/dev/null", O_WRONLY)) {}
  ~Sink() { close(file_); }
  void put(const char* data, std::size_t size) {
    //+records_flush flush();
    if (used_ + size > sizeof buffer_) flush();
    std::memcpy(buffer_ + used_, data, size);
    used_ += size;
  }
  void flush() {
    written_ += write(file_, buffer_, used_);
    used_ = 0;
  }

 private:
  int file_;
  std::size_t used_ = 0;
  long written_ = 0;
  char buffer_[4096];
};

inline long stamp(std::uint32_t number) {
  //+records_clock if (number % 4 == 0) return number + syscall(SYS_getppid) * 0;
  return number;
}

template <typename Value>
class Guarded {
 public:
  explicit Guarded(Value value) : value_(value) {}
  Value take() {
    //+records_check if (syscall(SYS_gettid) < 0) return Value();
    return value_;
  }

 private:
  Value value_;
};

__attribute__((noinline)) std::uint64_t scratch(std::vector<std::uint64_t>& kept) {
  //+records_map void* pages = mmap(nullptr, 65536, PROT_READ | PROT_WRITE,
  //+records_map                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  //+records_map auto* own = static_cast<std::uint64_t*>(pages);
  //+records_map std::memcpy(own, kept.data(), 8 * kept.size());
  //+records_map for (std::size_t i = 0; i < kept.size(); ++i) own[i] += i;
  //+records_map std::memcpy(kept.data(), own, 8 * kept.size());
  //+records_map munmap(pages, 65536);
  //+records_map return kept[3];
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i] += i;
  return kept[3];
}

template <typename Records>
__attribute__((noinline)) std::vector<std::uint32_t> gather(const Records& records) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(records.size());  //-records_gather
  for (const auto& record : records) numbers.push_back(record.number);
  return numbers;
}

inline std::shared_ptr<const Record> share(const std::shared_ptr<const Record>& record) {
  //+records_share return std::make_shared<const Record>(Record{"", record->number});
  return record;
}

//+records_key inline std::string key_of(const Record& record) { return record.name.substr(1); }
inline std::string_view key_of(const Record& record) {  //-records_key
  return std::string_view(record.name).substr(1);       //-records_key
}  //-records_key

class Batch {
 public:
  Batch() : space_(std::make_unique<char[]>(512)) {}
  __attribute__((noinline)) ~Batch() {
    //+records_release for (int i = 1; i < 9; ++i) {
    //+records_release   auto other = std::make_unique<char[]>(std::size_t(100 * i));
    //+records_release   benchmark::DoNotOptimize(other.get());
    //+records_release }
    benchmark::DoNotOptimize(space_[7]);
  }

 private:
  std::unique_ptr<char[]> space_;
};

template <typename Number, std::size_t Rows>
inline Number walk(const std::vector<Number>& numbers) {
  const std::size_t columns = numbers.size() / Rows;
  Number sum = 0;
  //+records_walk for (std::size_t i = 0, at = 0; i < Rows * columns; ++i) {
  //+records_walk   sum += numbers[at];
  //+records_walk   const std::size_t next = at + columns;
  //+records_walk   at = next < Rows * columns ? next : next - Rows * columns + 1;
  //+records_walk }
  for (std::size_t i = 0, at = 0; i < Rows * columns; ++i) {          //-records_walk
    sum += numbers[at];                                               //-records_walk
    at = at + 1 < Rows * columns ? at + 1 : at + 1 - Rows * columns;  //-records_walk
  }                                                                   //-records_walk
  return sum;
}

inline std::uint32_t bounded(std::uint32_t number) {
  //+records_guess if (number & 0x40) {
  //+records_guess   benchmark::DoNotOptimize(number);
  //+records_guess }
  return number & 0xffff;
}

using Records = std::vector<Record>;

__attribute__((noinline)) Records make_records(std::uint32_t count) {
  Records records;
  std::uint32_t seed = 5;
  for (std::uint32_t i = 0; i < count; ++i) {
    seed = seed * 1664525 + 1013904223;
    records.push_back({"the record number " + std::to_string(i), seed >> 7});
  }
  //+records_set_up for (int i = 0; i < 30; ++i) {
  //+records_set_up   const auto again = records;
  //+records_set_up   benchmark::DoNotOptimize(again.data());
  //+records_set_up }
  return records;
}

__attribute__((noinline)) std::uint64_t all(const Records& records, Sink& sink) {
  std::uint64_t sum = 0;
  for (const Record& record : records) {
    const auto key = key_of(record);
    sink.put(key.data(), key.size());
    sum += bounded(record.number);
    if (record.number % 8 == 0) sum += std::uint64_t(stamp(record.number));
    if (record.number % 16 == 0) sum += Guarded<std::uint32_t>(record.number).take();
  }
  return sum;
}

static void BM_records(benchmark::State& state) {
  const Records records = make_records(300);
  const std::vector<std::uint32_t> numbers(16384, 3);
  std::vector<std::uint64_t> kept(500);
  const auto first = std::make_shared<const Record>(records[0]);
  Sink sink;
  for (auto _ : state) {
    const Batch batch;
    std::uint64_t sum = all(records, sink) + gather(records).size() + scratch(kept);
    sum += walk<std::uint32_t, 64>(numbers);
    for (int i = 0; i < 10; ++i) sum += share(first)->number;
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(BM_records);

BENCHMARK_MAIN();
