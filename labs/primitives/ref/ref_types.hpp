// Purpose: the pointers that the `ref` group compares, with one interface.
//
//   auto ref = RefType::SharedPointer::make<Counted>(alive);   // RefType::SharedPointer::Ref
//   RefType::SharedPointer::drop(ref);
//
// `name` is what flowbench prints. Thread safety: `sharing` says what threads may do with
// two references to one object. Cost: that of the pointer.
#pragma once

#include <assay/primitives/group.hpp>

#include <memory>
#include <string_view>
#include <utility>

namespace assay::primitives {

struct RefType {
  struct RawPointer {
    static constexpr std::string_view name = "RefType::RawPointer";
    static constexpr Sharing sharing = Sharing::neither;
    static constexpr bool counts = false;  // no reference count: drop() destroys the object
    template <class T>
    using Ref = T*;
    template <class T, class... Args>
    static Ref<T> make(Args&&... args) {
      return new T(std::forward<Args>(args)...);
    }
    template <class T>
    static void drop(Ref<T>& ref) {
      delete std::exchange(ref, nullptr);
    }
  };

  struct UniquePointer {
    static constexpr std::string_view name = "RefType::UniquePointer";
    static constexpr Sharing sharing = Sharing::neither;
    static constexpr bool counts = false;
    template <class T>
    using Ref = std::unique_ptr<T>;
    template <class T, class... Args>
    static Ref<T> make(Args&&... args) {
      return std::make_unique<T>(std::forward<Args>(args)...);
    }
    template <class T>
    static void drop(std::unique_ptr<T>& ref) {
      ref.reset();
    }
  };

  struct SharedPointer {
    static constexpr std::string_view name = "RefType::SharedPointer";
    static constexpr Sharing sharing = Sharing::thread_safe;
    static constexpr bool counts = true;
    template <class T>
    using Ref = std::shared_ptr<T>;
    template <class T, class... Args>
    static Ref<T> make(Args&&... args) {
      return std::make_shared<T>(std::forward<Args>(args)...);
    }
    template <class T>
    static void drop(std::shared_ptr<T>& ref) {
      ref.reset();
    }
  };
};

}  // namespace assay::primitives
