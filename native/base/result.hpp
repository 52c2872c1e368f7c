// Purpose: failure as a value. A function that can fail returns Result<T>, or Status where it
// has no value to return.
//
//   assay::Result<int> cpu = parse_cpu("3");
//   if (!cpu) return cpu.error();
//   if (assay::Status done = pin_to(*cpu); !done) return done.error();
//
// Thread safety: that of the T inside. Cost: on success one discriminant and no allocation. An
// Error is returned and never thrown, so no exception unwinds through a timed loop.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace assay {

/// What failed, where, and what to try. `errno_value` is 0 unless a system call failed.
struct Error {
  std::string what;
  std::string where{};
  std::string hint{};
  int errno_value{0};

  /// One line for stderr: "where: what (hint)".
  [[nodiscard]] std::string line() const {
    std::string text = where.empty() ? what : where + ": " + what;
    return hint.empty() ? text : text + " (" + hint + ")";
  }
};

/// An Error for a system call that failed with the errno `code`, in the system's words.
inline Error system_error(std::string where, int code, std::string hint = {}) {
  return Error{std::strerror(code), std::move(where), std::move(hint), code};
}

/// Success, or the Error that prevented it. As large as a pointer; success allocates nothing.
class [[nodiscard]] Status {
 public:
  Status() = default;  // success: there is no Error
  // Implicit, so that a function returns the Error itself.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Status(Error error) : error_(std::make_unique<const Error>(std::move(error))) {}

  [[nodiscard]] bool ok() const noexcept { return error_ == nullptr; }
  explicit operator bool() const noexcept { return ok(); }

  /// Only to be called where ok() is false: there is no Error otherwise.
  [[nodiscard]] const Error& error() const { return *error_; }

 private:
  std::unique_ptr<const Error> error_{};
};

/// A T, or the Error that prevented it. Reading the wrong one is a bug in the
/// caller and throws std::bad_variant_access rather than reading garbage.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  [[nodiscard]] bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
  [[nodiscard]] T& value() & { return std::get<0>(state_); }
  [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
  const T& operator*() const& { return value(); }
  const T* operator->() const { return &value(); }

  [[nodiscard]] const Error& error() const { return std::get<1>(state_); }
  [[nodiscard]] T value_or(T fallback) const& { return ok() ? value() : std::move(fallback); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace assay
