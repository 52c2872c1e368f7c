// Purpose: ways to keep a list of mutations (set or clear, with two byte strings), with one
// interface.
//
//   ListType::VectorOfStrings list(items);
//   list.add(Mutation{.kind = Mutation::Kind::set, .first = "key", .second = "value"});
//   list.for_each([](const auto& mutation) { mutation.first.size(); });
//
// Thread safety: one list, one thread. Cost: that of the container; all copy the strings into the
// list.
#pragma once

#include <assay/primitives/group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

namespace assay::primitives {

struct Mutation {
  enum class Kind : std::uint8_t { set, clear };
  Kind kind;
  std::string_view first;
  std::string_view second;
};

template <class Text>
struct OwningMutation {
  Mutation::Kind kind;
  Text first;
  Text second;
};

/// Memory that is freed all at once. It consists of blocks, each twice as large as the one before.
class Arena {
 public:
  std::string_view copy(std::string_view text) {
    if (text.size() > left_) grow(text.size());
    char* const place = at_;
    text.copy(place, text.size());
    at_ += text.size();
    left_ -= text.size();
    return {place, text.size()};
  }

 private:
  void grow(std::size_t wanted) {
    next_bytes_ = std::max(next_bytes_ * 2, wanted);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(next_bytes_));
    at_ = blocks_.back().get();
    left_ = next_bytes_;
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* at_ = nullptr;
  std::size_t left_ = 0;
  std::size_t next_bytes_ = 256;
};

struct ListType {
  class VectorOfStrings {
   public:
    static constexpr std::string_view name = "ListType::VectorOfStrings";
    explicit VectorOfStrings(std::size_t items) { mutations_.reserve(items); }
    void add(const Mutation& mutation) {
      mutations_.push_back(
          {mutation.kind, std::string(mutation.first), std::string(mutation.second)});
    }
    template <class Visit>
    void for_each(const Visit& visit) const {
      for (const auto& mutation : mutations_) visit(mutation);
    }

   private:
    std::vector<OwningMutation<std::string>> mutations_;
  };

  class PmrMonotonic {
   public:
    static constexpr std::string_view name = "ListType::PmrMonotonic";
    explicit PmrMonotonic(std::size_t items) { mutations_.reserve(items); }
    void add(const Mutation& mutation) {
      mutations_.push_back({mutation.kind, std::pmr::string(mutation.first, &memory_),
                            std::pmr::string(mutation.second, &memory_)});
    }
    template <class Visit>
    void for_each(const Visit& visit) const {
      for (const auto& mutation : mutations_) visit(mutation);
    }

   private:
    std::pmr::monotonic_buffer_resource memory_;
    std::pmr::vector<OwningMutation<std::pmr::string>> mutations_{&memory_};
  };

  /// As in flowbench: the texts are in an arena, and a vector holds views of them.
  class ArenaOfViews {
   public:
    static constexpr std::string_view name = "ListType::ArenaOfViews";
    explicit ArenaOfViews(std::size_t items) { mutations_.reserve(items); }
    void add(const Mutation& mutation) {
      mutations_.push_back(
          {mutation.kind, arena_.copy(mutation.first), arena_.copy(mutation.second)});
    }
    template <class Visit>
    void for_each(const Visit& visit) const {
      for (const auto& mutation : mutations_) visit(mutation);
    }

   private:
    Arena arena_;
    std::vector<Mutation> mutations_;
  };
};

}  // namespace assay::primitives
