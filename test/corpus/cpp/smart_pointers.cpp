// A computation graph of shared nodes with weak parents: reference counts are atomics beside the values.
#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

struct Node : std::enable_shared_from_this<Node> {
  double value;
  std::vector<std::shared_ptr<Node>> inputs;
  std::weak_ptr<Node> parent;
  explicit Node(double v) : value(v) {}
  double total() const {
    double sum = value;
    for (const auto &input : inputs)
      sum += 0.5 * input->total() * input->value;
    return sum;
  }
};

static std::shared_ptr<Node> join(std::shared_ptr<Node> a, std::shared_ptr<Node> b) {
  auto node = std::make_shared<Node>(std::tanh(a->value) + b->value);
  a->parent = node;
  node->inputs = {std::move(a), std::move(b)};
  return node;
}

extern "C" double f(const double *x, int n) {
  auto shared = std::make_shared<Node>(x[0]);
  auto left = join(shared, std::make_shared<Node>(x[1 % n]));
  auto right = join(std::make_shared<Node>(x[2 % n]), shared);
  auto top = join(left, right);
  double from_below = 0.0;
  if (auto parent = shared->parent.lock())
    from_below = parent->value * x[3 % n];
  return top->total() + from_below + static_cast<double>(shared.use_count()) * x[0];
}

int main() {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  std::printf("%.12g\n", f(x, 4));
}
