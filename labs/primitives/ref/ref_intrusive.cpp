// Boost's intrusive_ptr, whose count is inside the object: with an atomic count, and without.
#include <assay/primitives/ref/ref_group.hpp>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

namespace assay::primitives {
namespace {

template <class T, class Policy>
struct Shell : T, boost::intrusive_ref_counter<Shell<T, Policy>, Policy> {
  using T::T;
};

template <class Policy>
struct Intrusive {
  static constexpr bool counts = true;
  template <class T>
  using Ref = boost::intrusive_ptr<Shell<T, Policy>>;
  template <class T, class... Args>
  static Ref<T> make(Args&&... args) {
    return Ref<T>(new Shell<T, Policy>(std::forward<Args>(args)...));
  }
  template <class Shelled>
  static void drop(boost::intrusive_ptr<Shelled>& ref) {
    ref.reset();
  }
};

struct IntrusiveSingleThreaded : Intrusive<boost::thread_unsafe_counter> {
  static constexpr std::string_view name = "RefType::IntrusiveSingleThreaded";
  static constexpr Sharing sharing = Sharing::single_threaded;
};

struct IntrusiveThreadSafe : Intrusive<boost::thread_safe_counter> {
  static constexpr std::string_view name = "RefType::IntrusiveThreadSafe";
  static constexpr Sharing sharing = Sharing::thread_safe;
};

}  // namespace

const OptionalPart intrusive_part([](Group& group) {
  add_copyable<IntrusiveSingleThreaded>(group);
  add_copyable<IntrusiveThreadSafe>(group);
});

}  // namespace assay::primitives
