// A log of records with checksums. Lines that begin with "//+NAME" are put into effect, and those
// that end in "//-NAME" are left out, by `./dev bench why_injections`; "//@" says what that is.
//@ log_copy       | copy       | Log::append |
//@ log_checksum   | inlined    | crc_step | inlined
//@ log_twice      | calls      | Log::append |
//@ log_bytewise   | inlined    | put_u32 | inlined
//@ log_temporary  | allocation | Log::seal |
//@ log_clear      | memory     | Log::seal |
//@ log_reserve    | allocation | Log::Log | inlined
//@ log_set_up     | set-up     | fill_payload |
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

//+log_checksum inline std::uint32_t crc_step(std::uint32_t crc, unsigned char byte) {
//+log_checksum   crc ^= byte;
//+log_checksum   for (int bit = 0; bit < 3; ++bit) crc = (crc >> 1) ^ (0xEDB88320U & -(crc & 1));
//+log_checksum   return crc;
//+log_checksum }
inline std::uint32_t crc_step(std::uint32_t crc, unsigned char byte) {  //-log_checksum
  crc ^= byte;                                                          //-log_checksum
  return (crc >> 1) ^ (0xEDB88320U & -(crc & 1));                       //-log_checksum
}  //-log_checksum

std::uint32_t checksum(const char* data, std::size_t size) {
  std::uint32_t crc = ~0U;
  for (std::size_t i = 0; i < size; ++i) crc = crc_step(crc, static_cast<unsigned char>(data[i]));
  return ~crc;
}

inline void put_u32(char* to, std::uint32_t value) {
  //+log_bytewise for (int i = 0; i < 4; ++i) {
  //+log_bytewise   to[i] = char(value >> (8 * i));
  //+log_bytewise   benchmark::DoNotOptimize(*to);
  //+log_bytewise }
  std::memcpy(to, &value, 4);  //-log_bytewise
}

class Log {
 public:
  Log() {
    //+log_reserve return;
    bytes_.reserve(1 << 16);
  }

  __attribute__((noinline)) void append(const char* data, std::uint32_t size) {
    //+log_copy char copy[256];
    //+log_copy std::memcpy(copy, data, size);
    //+log_copy benchmark::DoNotOptimize(copy);
    //+log_copy data = copy;
    //+log_twice benchmark::DoNotOptimize(checksum(data, size));
    const std::size_t at = bytes_.size();
    bytes_.resize(at + 8 + size);
    put_u32(&bytes_[at], size);
    put_u32(&bytes_[at + 4], checksum(data, size));
    std::memcpy(&bytes_[at + 8], data, size);
  }

  __attribute__((noinline)) std::uint32_t seal() {
    //+log_temporary std::vector<char> copy(bytes_);
    //+log_temporary benchmark::DoNotOptimize(copy.data());
    //+log_clear std::memset(&bytes_[8], 0, bytes_.size() / 2);
    const std::uint32_t sum = checksum(bytes_.data(), 64);
    bytes_.clear();
    return sum;
  }

 private:
  std::vector<char> bytes_;
};

__attribute__((noinline)) std::string fill_payload() {
  std::string payload(100, 'x');
  for (std::size_t i = 0; i < payload.size(); ++i) payload[i] = char('a' + i % 26);
  //+log_set_up for (int i = 0; i < 5000; ++i) payload[i % 100] ^= char(i * 7);
  return payload;
}

void BM_log(benchmark::State& state) {
  const std::string payload = fill_payload();
  for (auto _ : state) {
    Log log;
    for (int i = 0; i < 5; ++i) log.append(payload.data(), std::uint32_t(payload.size()));
    benchmark::DoNotOptimize(log.seal());
  }
}
BENCHMARK(BM_log);

}  // namespace

BENCHMARK_MAIN();
