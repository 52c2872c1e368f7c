#include <assay/primitives/serialization/serialization_group.hpp>
#include <assay/primitives/serialization/serialization_memcpy.hpp>

#include <gtest/gtest.h>

namespace assay::primitives {
namespace {

/// Broken on purpose: reads all fields but the last.
struct SkipsAField : Memcpy {
  template <class Record, class Sink>
  bool decode(std::string_view bytes, std::type_identity<Record> kind, Sink& sink) {
    Transcript all;
    Memcpy::decode(bytes, kind, all);
    struct Skipping {
      Sink& sink;
      std::size_t left;
      void number(std::uint64_t value) {
        if (left-- > 1) sink.number(value);
      }
      void real(double value) {
        if (left-- > 1) sink.real(value);
      }
      void text(std::string_view text) {
        if (left-- > 1) sink.text(text);
      }
    };
    Skipping skipping{sink, all.fields().size()};
    return Memcpy::decode(bytes, kind, skipping);
  }
};

/// Broken on purpose: the bytes of earlier records stay in front of the next record's.
struct KeepsTheLast : Memcpy {
  std::string kept;
  template <class Record>
  std::string_view encode(const Record& record) {
    kept += Memcpy::encode(record);
    return kept;
  }
};

struct Truncates : Memcpy {
  template <class Record>
  std::string_view encode(const Record& record) {
    const std::string_view bytes = Memcpy::encode(record);
    return bytes.substr(0, bytes.size() - 1);
  }
};

TEST(SerializationChecks, CatchAFieldThatIsNotRead) {
  EXPECT_EQ((check_round_trip<SkipsAField, Shape::Mutations>()), "301 of 302 fields came back");
  EXPECT_TRUE((check_round_trip<SkipsAField, Shape::NestedRecord>()).has_value());
}

TEST(SerializationChecks, CatchWhatIsLeftFromTheLastRecord) {
  const Problem problem = check_round_trip<KeepsTheLast, Shape::Mutations>();
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(*problem, "field 1 was 'number 0' and came back as 'number 100'");
}

TEST(SerializationChecks, CatchBytesThatEndTooSoon) {
  EXPECT_EQ((check_round_trip<Truncates, Shape::NestedRecord>()),
            "its own bytes of 100 items could not be read");
}

TEST(Checksum, DependsOnEveryByteAndOnTheOrder) {
  const auto sum_of = [](std::string_view first, std::string_view second) {
    Checksum sum;
    sum.text(first);
    sum.text(second);
    return sum.sum();
  };
  EXPECT_NE(sum_of("0123456789", "x"), sum_of("0123456788", "x"));
  EXPECT_NE(sum_of("1123456789", "x"), sum_of("0123456789", "x"));
  EXPECT_NE(sum_of("a", "b"), sum_of("b", "a"));
  EXPECT_NE(sum_of("a", ""), sum_of("", "a"));
  EXPECT_NE(sum_of(std::string_view("\0", 1), ""), sum_of("", ""));
}

}  // namespace
}  // namespace assay::primitives
