// Purpose: kinds of callbacks, with one interface, and the check before one is timed: every call
// arrives once, and with its argument, at the callable it was made of.
//
//   auto callee = CallbackType::StdFunction::make(Adder(total));   // or make(Padded(total))
//   callee(3);                                                     // total.add(3)
//   if (const Problem problem = check_callback<CallbackType::StdFunction, Adder>()) ...
//
// Thread safety: none. Cost: that of the callback; the check costs measurements nothing.
#pragma once

#include <assay/primitives/group.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace assay::primitives {

/// A sum kept in eight parts, chosen by the value, so that an addition need not wait for the one
/// before.
class Totals {
 public:
  void add(std::uint64_t value) { slots_[value % slots_.size()] += value; }
  [[nodiscard]] std::uint64_t sum() const {
    return std::accumulate(slots_.begin(), slots_.end(), std::uint64_t{0});
  }

 private:
  std::array<std::uint64_t, 8> slots_{};
};

/// A callable that holds one pointer, so that std::function keeps it without allocating.
class Adder {
 public:
  explicit Adder(Totals& total) : total_(&total) {}
  void operator()(std::uint64_t value) const { total_->add(value); }

 private:
  Totals* total_;
};

/// An Adder that is too large for std::function to keep without allocating.
class Padded : public Adder {
 public:
  using Adder::Adder;

 private:
  std::array<std::uint64_t, 7> padding_{};
};

/// Owns its callable, which need not be copyable, as std::move_only_function of C++23 does.
class MoveOnlyFunction {
 public:
  template <class F, class = std::enable_if_t<!std::is_same_v<F, MoveOnlyFunction>>>
  explicit MoveOnlyFunction(F callable)
      : callable_(std::make_unique<Holder<F>>(std::move(callable))) {}
  void operator()(std::uint64_t value) const { callable_->call(value); }

 private:
  struct Interface {
    Interface() = default;
    virtual ~Interface() = default;
    Interface(const Interface&) = delete;
    Interface& operator=(const Interface&) = delete;
    virtual void call(std::uint64_t value) = 0;
  };
  template <class F>
  struct Holder final : Interface {
    explicit Holder(F held) : callable(std::move(held)) {}
    void call(std::uint64_t value) override { callable(value); }
    F callable;
  };
  std::unique_ptr<Interface> callable_;
};

/// Like C++26's std::function_ref: refers to a callable that it does not own.
class FunctionRef {
 public:
  template <class F>
  explicit FunctionRef(F& callable)
      : object_(&callable),
        call_([](void* object, std::uint64_t value) { (*static_cast<F*>(object))(value); }) {}
  void operator()(std::uint64_t value) const { call_(object_, value); }

 private:
  void* object_;
  void (*call_)(void*, std::uint64_t);
};

[[gnu::noinline]] inline void add_to(Totals& total, std::uint64_t value) {
  total.add(value);
}

struct CallbackType {
  /// A lambda that the compiler can inline.
  struct Template {
    static constexpr std::string_view name = "CallbackType::Template";
    template <class F>
    static auto make(F callable) {
      return [callable](std::uint64_t value) { callable(value); };
    }
  };

  struct DirectCall {
    static constexpr std::string_view name = "CallbackType::DirectCall";
    static auto make(Totals& total) {
      return [&total](std::uint64_t value) { add_to(total, value); };
    }
  };

  struct FunctionPointer {
    static constexpr std::string_view name = "CallbackType::FunctionPointer";
    struct Callee {
      void (*function)(Totals&, std::uint64_t);
      Totals* total;
      void operator()(std::uint64_t value) const { function(*total, value); }
    };
    static Callee make(Totals& total) { return {add_to, &total}; }
  };

  struct Virtual {
    static constexpr std::string_view name = "CallbackType::Virtual";
    struct Interface {
      Interface() = default;
      virtual ~Interface() = default;
      Interface(const Interface&) = delete;
      Interface& operator=(const Interface&) = delete;
      virtual void call(std::uint64_t value) = 0;
    };
    template <class F>
    struct Implementation : Interface {
      explicit Implementation(F held) : callable(held) {}
      void call(std::uint64_t value) override { callable(value); }
      F callable;
    };
    struct Callee {
      std::unique_ptr<Interface> object;
      void operator()(std::uint64_t value) const { object->call(value); }
    };
    template <class F>
    static Callee make(F callable) {
      return {std::make_unique<Implementation<F>>(callable)};
    }
  };

  struct StdFunction {
    static constexpr std::string_view name = "CallbackType::StdFunction";
    template <class F>
    static std::function<void(std::uint64_t)> make(F callable) {
      return callable;
    }
  };

  struct MoveOnly {
    static constexpr std::string_view name = "CallbackType::MoveOnly";
    template <class F>
    static MoveOnlyFunction make(F callable) {
      return MoveOnlyFunction(callable);
    }
  };

  struct Reference {
    static constexpr std::string_view name = "CallbackType::Reference";
    template <class F>
    struct Callee {
      F callable;
      FunctionRef reference{callable};
      explicit Callee(F kept) : callable(kept) {}
      Callee(const Callee&) = delete;
      Callee& operator=(const Callee&) = delete;
      ~Callee() = default;
      void operator()(std::uint64_t value) const { reference(value); }
    };
    template <class F>
    static Callee<F> make(F callable) {
      return Callee<F>(callable);
    }
  };
};

/// Makes a callee of `Type` that calls a `Callable`; kinds that take no callable get `total`.
template <class Type, class Callable>
auto callee_of(Totals& total) {
  if constexpr (requires { Type::make(Callable(total)); }) {
    return Type::make(Callable(total));
  } else {
    return Type::make(total);
  }
}

template <class Type, class Callable>
Problem check_callback() {
  Totals total;
  Totals other;
  const auto callee = callee_of<Type, Callable>(total);
  const auto other_callee = callee_of<Type, Callable>(other);
  std::uint64_t wanted = 0;
  for (std::uint64_t value = 1; value < (std::uint64_t{1} << 40U); value *= 3) {
    callee(value);
    wanted += value;
    if (total.sum() != wanted) {
      return "the total is " + std::to_string(total.sum()) + " after the call with " +
             std::to_string(value) + ", not " + std::to_string(wanted);
    }
  }
  other_callee(7);
  if (total.sum() != wanted || other.sum() != 7) return "a call arrived at another callable";
  return {};
}

}  // namespace assay::primitives
