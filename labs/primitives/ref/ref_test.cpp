#include <assay/primitives/ref/ref_group.hpp>
#include <assay/primitives/ref/ref_types.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace assay::primitives {
namespace {

template <class T>
void* place_for() {
  alignas(T) static std::array<std::byte, sizeof(T)> place;
  return place.data();
}

/// Broken on purpose: never destroys the object. It is not on the heap, so that leak checkers do
/// not report it.
struct Leaking : RefType::RawPointer {
  template <class T, class... Args>
  static T* make(Args&&... args) {
    return new (place_for<T>()) T(std::forward<Args>(args)...);
  }
  template <class T>
  static void drop(T*& ref) {
    ref = nullptr;
  }
};

/// Broken on purpose: copies are not counted, so that the first dropped reference destroys the
/// object.
struct Uncounted {
  static constexpr bool counts = true;
  template <class T>
  struct Ref {
    T* object;
    T* operator->() const { return object; }
    T& operator*() const { return *object; }
  };
  template <class T, class... Args>
  static Ref<T> make(Args&&... args) {
    return {new (place_for<T>()) T(std::forward<Args>(args)...)};
  }
  template <class T>
  static void drop(Ref<T>& ref) {
    std::destroy_at(std::exchange(ref.object, nullptr));
  }
};

TEST(RefChecks, CatchAnObjectThatIsNeverDestroyed) {
  EXPECT_EQ(check_create_and_destroy<Leaking>(), "1 objects alive after dropping it, not 0");
  EXPECT_TRUE(check_move<Leaking>().has_value());
  EXPECT_TRUE(check_copy<Leaking>().has_value());
  EXPECT_TRUE(check_contended_copy<Leaking>().has_value());
}

TEST(RefChecks, CatchAnObjectThatIsDestroyedWithReferencesLeft) {
  EXPECT_EQ(check_copy<Uncounted>(), "0 objects alive with a reference left, not 1");
}

}  // namespace
}  // namespace assay::primitives
