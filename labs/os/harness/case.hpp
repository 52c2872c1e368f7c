// Purpose: how a case is written: one call or a few, timed in batches, in every worker.
//
//   class Strlen final : public Work {
//    public:
//     explicit Strlen(const Setting& setting)
//         : text_(static_cast<std::size_t>(setting.number('s')), 'x') {}
//     Status run(Calls calls) override {
//       const char* const text = text_.c_str();
//       for (Calls i = 0; i < calls; ++i) do_not_optimize(std::strlen(opaque_value(text)));
//       return {};
//     }
//    private:
//     std::string text_;
//   };
//
//   Case strlen_case() {
//     return {.name = "strlen",
//             .summary = "length of a string",
//             .options = {number('s', "size", "100", "bytes")},
//             .stage = each<Strlen>};
//   }
//
// labs/os/cases/libc/strlen.cpp is the whole of it: CMake finds the function by the file's name.
// Each worker makes an object of Work for itself. A sample is prepare(n), then all workers meet,
// run(n) is timed, all meet again, undo(n). No globals: what workers share is
// made before they are (sharing<>). See labs/os/CASES.md.
//
// Thread safety: each worker uses its own Work; the shared part must be safe among threads
// and processes. Cost: one virtual call a batch.
#pragma once

#include <assay/base/result.hpp>
#include <assay/os/harness/setting.hpp>
#include <assay/system/worker_team.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::os {

using Calls = std::int64_t;
inline constexpr Calls any_number = std::numeric_limits<Calls>::max();

/// The Error for a call that failed: `what`, and errno in words.
Error failed(std::string what);

/// The Error for something that this host lacks: the case is then skipped with this reason, not
/// failed.
Error host_lacks(std::string what);
bool is_host_lacking(const Error& error);

/// The work of one worker: prepare, run and undo a batch. Its worker destroys it after the last
/// sample.
class Work {
 public:
  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  virtual ~Work() = default;

  /// The longest batch this worker can do, limited by descriptors or memory; 1 where a call of one
  /// worker must meet a call of another.
  [[nodiscard]] virtual Calls most_calls() const { return any_number; }
  /// Untimed, before each batch.
  virtual Status prepare(Calls /*calls*/) { return {}; }
  /// Timed: exactly `calls` calls.
  virtual Status run(Calls calls) = 0;
  /// Untimed, after each batch.
  virtual Status undo(Calls /*calls*/) { return {}; }
};

/// What all workers of a launch share; made once, before them. worker() makes one worker's Work.
class CaseFixture {
 public:
  CaseFixture() = default;
  CaseFixture(const CaseFixture&) = delete;
  CaseFixture& operator=(const CaseFixture&) = delete;
  virtual ~CaseFixture() = default;

  virtual Result<std::unique_ptr<Work>> worker(const WorkerId& worker) = 0;
};

enum class Origin : std::uint8_t { libmicro, linux_only };

struct Case {
  std::string_view name{};
  std::string_view summary{};  // one line about what one call does
  std::vector<Option> options{};
  Result<std::unique_ptr<CaseFixture>> (*stage)(const Setting&){nullptr};
  Origin origin{Origin::libmicro};
};

// ---- from classes to stages -------------------------------------------------------------

template <class T>
using Made = Result<std::unique_ptr<T>>;

/// Makes a W from the value in `part` and further arguments; if `part` is an Error, returns that.
///   return made_of<Fcntl>(open_file(setting.text('f'), O_RDONLY));
template <class W, class Part, class... More>
Made<W> made_of(Result<Part> part, More&&... more) {
  if (!part) return part.error();
  return std::make_unique<W>(std::move(part).value(), std::forward<More>(more)...);
}

namespace detail {

// Makes a W by W::make(arguments...) if it has that, else by W(arguments...), else by W().
template <class Base, class W, class... Arguments>
Made<Base> build(Arguments&... arguments) {
  if constexpr (requires { W::make(arguments...); }) {
    auto made = W::make(arguments...);
    if (!made) return made.error();
    return std::unique_ptr<Base>(std::move(made).value());
    // NOLINTNEXTLINE(bugprone-branch-clone): the same only where there are no arguments
  } else if constexpr (requires { W(arguments...); }) {
    return std::unique_ptr<Base>(std::make_unique<W>(arguments...));
  } else {
    return std::unique_ptr<Base>(std::make_unique<W>());
  }
}

template <class W>
class SeparateFixture final : public CaseFixture {
 public:
  explicit SeparateFixture(const Setting& setting) : setting_(setting) {}
  Made<Work> worker(const WorkerId& worker) override {
    if constexpr (
        requires { W::make(setting_, worker); } || requires { W(setting_, worker); }) {
      return build<Work, W>(setting_, worker);
    } else {
      return build<Work, W>(setting_);
    }
  }

 private:
  const Setting setting_;
};

template <class Shared, class W>
class SharingFixture final : public CaseFixture {
 public:
  explicit SharingFixture(std::unique_ptr<Shared> shared) : shared_(std::move(shared)) {}
  Made<Work> worker(const WorkerId& worker) override {
    // NOLINTNEXTLINE(bugprone-branch-clone): a template's branches look alike to it
    if constexpr (
        requires { W::make(*shared_, worker); } || requires { W(*shared_, worker); }) {
      return build<Work, W>(*shared_, worker);
    } else {
      return build<Work, W>(*shared_);
    }
  }

 private:
  std::unique_ptr<Shared> shared_;
};

}  // namespace detail

/// The stage of a case whose workers share nothing: each worker makes W(setting), W(setting,
/// worker) or W(), or calls W::make with the same arguments where W has that.
template <class W>
Made<CaseFixture> each(const Setting& setting) {
  return std::unique_ptr<CaseFixture>(std::make_unique<detail::SeparateFixture<W>>(setting));
}

/// The stage of a case whose workers share an object: Shared(setting) or Shared::make(setting) is
/// made first, then in each worker W(shared) or W(shared, worker), or W::make with the same
/// arguments.
template <class Shared, class W>
Made<CaseFixture> sharing(const Setting& setting) {
  auto shared = detail::build<Shared, Shared>(setting);
  if (!shared) return shared.error();
  return std::unique_ptr<CaseFixture>(
      std::make_unique<detail::SharingFixture<Shared, W>>(std::move(shared).value()));
}

}  // namespace assay::os
