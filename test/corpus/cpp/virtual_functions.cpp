// Shapes behind a virtual interface, owned by unique_ptr, with multiple inheritance and a dynamic cast.
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual void grow(double by) = 0;
};

struct Named {
  virtual ~Named() = default;
  int id = 0;
};

struct Circle : Shape, Named {
  double radius;
  explicit Circle(double r) : radius(r) { id = 7; }
  double area() const override { return 3.0 * radius * radius; }
  void grow(double by) override { radius *= by; }
};

struct Box final : Shape {
  double sides[2];
  Box(double a, double b) : sides{a, b} {}
  double area() const override { return sides[0] * sides[1]; }
  void grow(double by) override {
    for (double &side : sides)
      side += by;
  }
};

extern "C" double f(const double *x, int n) {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 5; i++)
    if (i % 2)
      shapes.push_back(std::make_unique<Circle>(x[i % n]));
    else
      shapes.push_back(std::make_unique<Box>(x[i % n], 1.0 + i));
  double sum = 0.0;
  for (auto &shape : shapes) {
    shape->grow(1.0 + 0.1 * x[0]);
    sum += std::log1p(shape->area() * shape->area());
    if (auto *named = dynamic_cast<Named *>(shape.get()))
      sum += named->id * x[1 % n];
  }
  return sum;
}

int main() {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  std::printf("%.12g\n", f(x, 4));
}
