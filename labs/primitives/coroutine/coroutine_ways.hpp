// Purpose: ways to compute `3 * value` in a function that may wait, and to go through the
// numbers from 1 to n, with a coroutine and without; and the checks before they are timed: every
// value is asked for and comes back, in order.
//
//   AwaitType::SymmetricTransfer::sum(values)   // of 3 * value; sum and values: see below
//   GenerateType::Coroutine::each(n, [&](std::uint64_t value) { sum += value; });
//   if (const Problem problem = check_generate<GenerateType::Coroutine>()) ...
//
// `sum` calls `more()`, which gives a value or nothing, and returns the sum over all values.
// Thread safety: none. Cost: that of the way. No function that is called is inlined, not even the
// plain one.
#pragma once

#include <assay/base/do_not_optimize.hpp>
#include <assay/primitives/coroutine/coroutine_types.hpp>
#include <assay/primitives/group.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace assay::primitives {

[[gnu::noinline]] inline std::uint64_t thrice(std::uint64_t value) {
  return 3 * value;
}

[[gnu::noinline]] inline Task thrice_later(std::uint64_t value) {
  co_return 3 * value;
}

/// An awaitable whose value is ready, so that the awaiting coroutine is not suspended.
struct Ready {
  std::uint64_t value;
  [[nodiscard]] bool await_ready() const noexcept {
    bool is_ready = true;
    make_opaque(is_ready);
    return is_ready;
  }
  void await_suspend(std::coroutine_handle<> /*unused*/) const noexcept {}
  [[nodiscard]] std::uint64_t await_resume() const noexcept { return thrice(value); }
};

struct AwaitType {
  struct FunctionCall {
    static constexpr std::string_view name = "AwaitType::FunctionCall";
    template <class More>
    static std::uint64_t sum(More more) {
      std::uint64_t sum = 0;
      while (const std::optional<std::uint64_t> value = more()) sum += thrice(*value);
      return sum;
    }
  };

  struct AlreadyThere {
    static constexpr std::string_view name = "AwaitType::AlreadyThere";
    template <class More>
    static std::uint64_t sum(More more) {
      return loop(more).run();
    }
    template <class More>
    static Task loop(More more) {
      std::uint64_t sum = 0;
      while (const std::optional<std::uint64_t> value = more()) sum += co_await Ready{*value};
      co_return sum;
    }
  };

  struct SymmetricTransfer {
    static constexpr std::string_view name = "AwaitType::SymmetricTransfer";
    template <class More>
    static std::uint64_t sum(More more) {
      return loop(more).run();
    }
    template <class More>
    static Task loop(More more) {
      std::uint64_t sum = 0;
      while (const std::optional<std::uint64_t> value = more()) {
        sum += co_await thrice_later(*value);
      }
      co_return sum;
    }
  };
};

[[gnu::noinline]] inline Generator count_to(std::uint64_t last) {
  // Braces, because clang-tidy takes the code generated for co_yield for several statements.
  for (std::uint64_t value = 1; value <= last; ++value) {
    co_yield value;
  }
}

struct GenerateType {
  struct PlainLoop {
    static constexpr std::string_view name = "GenerateType::PlainLoop";
    template <class Use>
    static void each(std::uint64_t last, Use use) {
      for (std::uint64_t value = 1; value <= last; ++value) use(value);
    }
  };

  /// A generator written without coroutines: a state and a function.
  struct StateMachine {
    static constexpr std::string_view name = "GenerateType::StateMachine";
    template <class Use>
    static void each(std::uint64_t last, Use use) {
      State state{.last = last};
      while (next(state)) use(state.value);
    }

   private:
    struct State {
      std::uint64_t last = 0;
      std::uint64_t value = 0;
    };
    [[gnu::noinline]] static bool next(State& state) { return ++state.value <= state.last; }
  };

  struct Callback {
    static constexpr std::string_view name = "GenerateType::Callback";
    template <class Use>
    static void each(std::uint64_t last, Use use) {
      give(last, use);
    }

   private:
    [[gnu::noinline]] static void give(std::uint64_t last,
                                       const std::function<void(std::uint64_t)>& use) {
      for (std::uint64_t value = 1; value <= last; ++value) use(value);
    }
  };

  struct Coroutine {
    static constexpr std::string_view name = "GenerateType::Coroutine";
    template <class Use>
    static void each(std::uint64_t last, Use use) {
      for (Generator numbers = count_to(last); numbers.next();) use(numbers.value());
    }
  };
};

template <class Type>
Problem check_await() {
  std::uint64_t next = 0;
  std::uint64_t wanted = 0;
  const std::uint64_t sum = Type::sum([&]() -> std::optional<std::uint64_t> {
    if (next == 100) return {};
    ++next;
    wanted += 3 * next;
    return next;
  });
  if (next != 100) return "it stopped after " + std::to_string(next) + " of 100 values";
  if (sum == wanted) return {};
  return "the sum is " + std::to_string(sum) + ", not " + std::to_string(wanted);
}

template <class Type>
Problem check_generate() {
  for (const std::uint64_t last : {0U, 1U, 1'000U}) {
    std::uint64_t seen = 0;
    bool is_in_order = true;
    Type::each(last, [&](std::uint64_t value) { is_in_order &= value == ++seen; });
    if (!is_in_order) return "values came in another order";
    if (seen != last) return std::to_string(seen) + " of " + std::to_string(last) + " values came";
  }
  return {};
}

}  // namespace assay::primitives
