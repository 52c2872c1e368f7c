// Purpose: the benchmarks of one group of a suite. None is timed before a check that its primitive
// works, since a queue that loses items would look fast.
//
//   assay::primitives::Group assay::primitives::group() {       // one in each group's executable
//     Group group;
//     group.add({.name = "bench_ref_copy<RefType::SharedPointer>",
//                .sharing = Sharing::thread_safe,
//                .check = check_copy<SharedPointer>,     // a Problem, or nothing
//                .loop = bench_copy<SharedPointer>});
//     return group;
//   }
//
// Names are formed as flowbench's: bench_<group>_<operation><<member>, <condition>...>.
// `assay suite` chooses among the members of one operation, separately for each condition (one
// thread or two) and for the arguments, which have names (ArgNames) and end in the size.
//
// Thread safety: groups are made and registered in the main thread. Cost to the measurement:
// none inside the loop; the check runs once, before the first run of its benchmark.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::primitives {

/// What is wrong with a primitive, in words; nothing when all is well.
using Problem = std::optional<std::string>;

/// What threads may do with one object of a member of the group. The cost of thread safety is the
/// fastest thread_safe member against the fastest single_threaded one. Members that cannot replace
/// the others (a raw pointer, which owns nothing) are `neither`.
enum class Sharing : std::uint8_t { neither, single_threaded, thread_safe };

struct Primitive {
  std::string name;
  Sharing sharing = Sharing::neither;
  std::function<Problem()> check;
  std::function<void(benchmark::State&)> loop;
  // Sets its arguments and number of threads.
  std::function<void(benchmark::internal::Benchmark&)> shape = {};
};

class Group {
 public:
  void add(Primitive primitive) { primitives_.push_back(std::move(primitive)); }
  [[nodiscard]] const std::vector<Primitive>& primitives() const& { return primitives_; }
  [[nodiscard]] const std::vector<Primitive>& primitives() const&& =
      delete;  // the reference would outlive a temporary Group

 private:
  std::vector<Primitive> primitives_;
};

/// A benchmark's name: "operation<Member::name>" or "operation<Member::name, Condition::name>".
template <class Member, class... Conditions>
std::string name_of(std::string_view operation) {
  std::string name = std::string(operation) + "<" + std::string(Member::name);
  ((name += ", " + std::string(Conditions::name)), ...);
  return name + ">";
}

/// Registers the group with Google Benchmark. A benchmark whose check finds a problem is an error
/// in the results, and is not timed.
void register_benchmarks(const Group& group);

/// The group of an executable; each group's sources define it.
Group group();

/// Benchmarks that need a library, a CPU's instruction or a compiler's feature. Where it is
/// missing, their file is not compiled. Where it is there, the file has one of these at namespace
/// scope, which registers itself before main() begins:
///
///   const OptionalPart absl_lists_part([](Group& group) { add_list<AbslInlined>(group); });
///
/// A static library would lose it, as nothing refers to the file: groups are object libraries.
class OptionalPart {
 public:
  using Add = void (*)(Group&);
  explicit OptionalPart(Add add) noexcept : add_(add) {
    *end_ = this;
    end_ = &next_;
  }
  OptionalPart(const OptionalPart&) = delete;
  OptionalPart& operator=(const OptionalPart&) = delete;

 private:
  friend void add_optional_parts(Group& group);
  Add add_;
  OptionalPart* next_ = nullptr;
  // Both are set at compile time, before the first part registers itself.
  static inline OptionalPart* first_ = nullptr;
  static inline OptionalPart** end_ = &first_;
};

/// Adds the optional parts that were compiled, in the order in which their files were linked.
void add_optional_parts(Group& group);

}  // namespace assay::primitives
