// A search tree with its own pool of nodes, walked recursively. See log.cpp for the comments.
//@ tree_compare  | inlined    | less | inlined
//@ tree_walk     | recursion  | sum_of |
//@ tree_depth    | recursion  | depth_of |
//@ tree_pool     | allocation | Pool::take | inlined
//@ tree_zero     | memory     | Pool::take | inlined
//@ tree_insert   | calls      | Tree::insert |
//@ tree_clear    | library    | Tree::clear |
//@ tree_c_sort   | callback   | by_key |
//@ tree_set_up   | set-up     | shuffled |
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

struct Leaf {
  int key = 0;
  Leaf* left = nullptr;
  Leaf* right = nullptr;
  char payload[40] = {};
};

inline bool less(int a, int b) {
  //+tree_compare if ((a ^ b) % 7 == 3) benchmark::DoNotOptimize(a);
  return a < b;
}

class Pool {
 public:
  Pool() : leaves_(64) {}
  Leaf* take() {
    //+tree_pool leaves_[used_ % 64] = *std::make_unique<Leaf>();
    Leaf* leaf = &leaves_[used_++];
    leaf->left = leaf->right = nullptr;
    //+tree_zero std::memset(leaf->payload, int(used_), sizeof leaf->payload);
    //+tree_zero benchmark::DoNotOptimize(leaf->payload);
    return leaf;
  }
  void reset() { used_ = 0; }

 private:
  std::vector<Leaf> leaves_;
  std::size_t used_ = 0;
};

class Tree {
 public:
  __attribute__((noinline)) void insert(int key) {
    //+tree_insert benchmark::DoNotOptimize(place_of(key));
    Leaf** place = place_of(key);
    *place = pool_.take();
    (*place)->key = key;
  }
  __attribute__((noinline)) void clear() {
    //+tree_clear std::vector<Leaf> fresh(32);
    //+tree_clear benchmark::DoNotOptimize(fresh.data());
    root_ = nullptr;
    pool_.reset();
  }
  const Leaf* root() const { return root_; }

 private:
  __attribute__((noinline)) Leaf** place_of(int key) {
    Leaf** place = &root_;
    while (*place != nullptr) place = less(key, (*place)->key) ? &(*place)->left : &(*place)->right;
    return place;
  }

  Pool pool_;
  Leaf* root_ = nullptr;
};

__attribute__((noinline)) long sum_of(const Leaf* leaf) {
  if (leaf == nullptr) return 0;
  //+tree_walk benchmark::DoNotOptimize(leaf->key * 3 + leaf->key / 7 + leaf->key % 11);
  return leaf->key + sum_of(leaf->left) + sum_of(leaf->right);
}

__attribute__((noinline)) int depth_of(const Leaf* leaf) {
  if (leaf == nullptr) return 0;
  const int left = depth_of(leaf->left);
  const int right = depth_of(leaf->right);
  //+tree_depth benchmark::DoNotOptimize(sum_of(leaf->left) + left);
  return 1 + (left < right ? right : left);
}

extern "C" int by_key(const void* a, const void* b) {
  const int x = *static_cast<const int*>(a);
  const int y = *static_cast<const int*>(b);
  //+tree_c_sort if (x % 13 == y % 17) benchmark::DoNotOptimize(x * y);
  return (x > y) - (x < y);
}

static std::vector<int> shuffled(int count) {
  std::vector<int> keys(std::size_t(count), 0);
  std::iota(keys.begin(), keys.end(), 0);
  for (int i = 0; i < count; ++i) std::swap(keys[std::size_t(i)], keys[std::size_t(i * 7 % count)]);
  //+tree_set_up for (int i = 0; i < 3000; ++i) benchmark::DoNotOptimize(keys[i * 13 % count] += 0);
  return keys;
}

static void BM_tree(benchmark::State& state) {
  const std::vector<int> keys = shuffled(50);
  Tree tree;
  for (auto _ : state) {
    for (const int key : keys) tree.insert(key);
    long sum = sum_of(tree.root()) + depth_of(tree.root());
    std::vector<int> copy = keys;
    std::qsort(copy.data(), copy.size(), sizeof(int), by_key);
    sum += copy[3];
    benchmark::DoNotOptimize(sum);
    tree.clear();
  }
}
BENCHMARK(BM_tree);

BENCHMARK_MAIN();
