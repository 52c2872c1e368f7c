// Purpose: the simplest format: fields one after the other, texts behind their length.
//
//   Memcpy format;
//   format.decode(format.encode(batch), std::type_identity<MutationBatch>(), sink);
//
// Thread safety: none. Cost: it is what the other formats are compared with.
#pragma once

#include <assay/primitives/serialization/serialization_records.hpp>

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace assay::primitives {

class Memcpy {
 public:
  static constexpr std::string_view name = "SerializationType::Memcpy";

  template <class Record>
  std::string_view encode(const Record& record) {
    buffer_.clear();
    Writer writer(buffer_);
    walk(record, writer);
    return buffer_;
  }

  template <class Sink>
  bool decode(std::string_view bytes, std::type_identity<MutationBatch> /*kind*/, Sink& sink) {
    Reader<Sink> reader(bytes, sink);
    reader.number();
    for (std::uint64_t left = reader.number(); left > 0 && reader.ok(); --left) {
      reader.number();
      reader.text();
      reader.text();
    }
    return reader.ok();
  }

  template <class Sink>
  bool decode(std::string_view bytes, std::type_identity<Order> /*kind*/, Sink& sink) {
    Reader<Sink> reader(bytes, sink);
    reader.number();
    reader.real();
    for (int i = 0; i < 3; ++i) reader.text();
    reader.number();
    for (std::uint64_t left = reader.number(); left > 0 && reader.ok(); --left) reader.text();
    for (std::uint64_t left = reader.number(); left > 0 && reader.ok(); --left) item(reader);
    return reader.ok();
  }

 private:
  class Writer {
   public:
    explicit Writer(std::string& out) : out_(out) {}
    void number(std::uint64_t value) { append(&value, sizeof value); }
    void real(double value) { append(&value, sizeof value); }
    void text(std::string_view text) {
      const auto size = static_cast<std::uint32_t>(text.size());
      append(&size, sizeof size);
      out_.append(text);
    }

   private:
    void append(const void* bytes, std::size_t size) {
      out_.append(static_cast<const char*>(bytes), size);
    }
    std::string& out_;
  };

  /// Reads fields and passes them to the sink; stops where the bytes end too soon.
  template <class Sink>
  class Reader {
   public:
    Reader(std::string_view bytes, Sink& sink) : left_(bytes), sink_(sink) {}
    [[nodiscard]] bool ok() const { return is_ok_; }

    std::uint64_t number() {
      const auto value = take<std::uint64_t>();
      sink_.number(value);
      return value;
    }
    void real() { sink_.real(take<double>()); }
    void text() {
      const auto size = take<std::uint32_t>();
      if (!has(size)) return;
      sink_.text(left_.substr(0, size));
      left_.remove_prefix(size);
    }

   private:
    bool has(std::size_t size) {
      is_ok_ = is_ok_ && size <= left_.size();
      return is_ok_;
    }
    template <class Value>
    Value take() {
      Value value{};
      if (!has(sizeof value)) return value;
      std::memcpy(&value, left_.data(), sizeof value);
      left_.remove_prefix(sizeof value);
      return value;
    }

    std::string_view left_;
    Sink& sink_;
    bool is_ok_ = true;
  };

  template <class Sink>
  static void item(Reader<Sink>& reader) {
    reader.text();
    reader.number();
    reader.real();
    for (std::uint64_t left = reader.number(); left > 0 && reader.ok(); --left) {
      reader.text();
      reader.text();
    }
  }

  std::string buffer_;
};

}  // namespace assay::primitives
