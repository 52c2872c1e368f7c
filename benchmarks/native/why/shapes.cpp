// Shapes behind virtual calls, sorted and summed. See log.cpp for what the comments mean.
//@ shapes_virtual  | virtual    | total_area |
//@ shapes_sqrt     | branches   | Circle::area |
//@ shapes_bounds   | virtual    | Square::area |
//@ shapes_compare  | lambda     | operator() | inlined
//@ shapes_stable   | library    | order |
//@ shapes_heap     | allocation | scaled |
//@ shapes_function | virtual    | each |
//@ shapes_set_up   | set-up     | make_shapes |
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

class Shape {
 public:
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual double scaled(double by) const = 0;
};

class Circle : public Shape {
 public:
  explicit Circle(double r) : r_(r) {}
  double area() const override {
    double area = 3.14159 * r_ * r_;
    //+shapes_sqrt for (double low = 0, high = area; high - low > 1e-3;) {
    //+shapes_sqrt   const double middle = (low + high) / 2;
    //+shapes_sqrt   (middle * 2 < area ? low : high) = middle;
    //+shapes_sqrt   area += low * 1e-9;
    //+shapes_sqrt }
    return area;
  }
  double scaled(double by) const override;

 private:
  double r_;
};

class Square : public Shape {
 public:
  explicit Square(double side) : side_(side) {}
  double area() const override {
    //+shapes_bounds for (int i = 0; i < 6; ++i) benchmark::DoNotOptimize(i);
    return side_ * side_;
  }
  double scaled(double by) const override { return side_ * side_ * by; }

 private:
  double side_;
};

double Circle::scaled(double by) const {
  //+shapes_heap auto larger = std::make_unique<Circle>(r_ * by);
  //+shapes_heap benchmark::DoNotOptimize(larger.get());
  return 3.14159 * r_ * r_ * by;
}

using Shapes = std::vector<std::unique_ptr<Shape>>;

__attribute__((noinline)) double total_area(const Shapes& shapes) {
  double sum = 0;
  for (const auto& shape : shapes) {
    //+shapes_virtual if (shape->area() < 0) continue;
    //+shapes_virtual if (shape->area() > 1e12) continue;
    sum += shape->area();
  }
  return sum;
}

__attribute__((noinline)) double each(const Shapes& shapes,
                                      const std::function<double(double)>& f) {
  double sum = 0;
  for (const auto& shape : shapes) sum += f(shape->scaled(2));
  //+shapes_function for (const auto& shape : shapes) sum -= f(shape->scaled(3));
  return sum;
}

__attribute__((noinline)) void order(std::vector<double>& sizes) {
  //+shapes_stable std::stable_sort(sizes.begin(), sizes.end());
  std::sort(sizes.begin(), sizes.end(), [](double a, double b) {
    //+shapes_compare if (std::fabs(a - b) < 1e-9 || std::isnan(a) || std::isnan(b)) return false;
    return a < b;
  });
}

__attribute__((noinline)) Shapes make_shapes() {
  Shapes shapes;
  //+shapes_set_up for (int i = 0; i < 500; ++i) shapes.push_back(std::make_unique<Square>(i));
  //+shapes_set_up shapes.clear();
  for (int i = 0; i < 40; ++i) {
    if (i % 3) {
      shapes.push_back(std::make_unique<Circle>(i * 7919 % 41));
    } else {
      shapes.push_back(std::make_unique<Square>(i * 7919 % 37));
    }
  }
  return shapes;
}

static void BM_shapes(benchmark::State& state) {
  const Shapes shapes = make_shapes();
  for (auto _ : state) {
    double sum = total_area(shapes);
    std::vector<double> sizes;
    for (const auto& shape : shapes) sizes.push_back(shape->scaled(1));
    order(sizes);
    sum += sizes[7] + each(shapes, [](double area) { return area * 0.5; });
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(BM_shapes);

BENCHMARK_MAIN();
