// A kd-tree of points whose numbers are sorted and handed on by value, vector by vector, through recursion; neighbours in a priority
// queue, and their weights in a hash map. The numbers are copied where nobody counts with them.
// RUN: %levels %s conditioned 0.63 0.41 0.87 0.52
#include "source.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <queue>
#include <set>
#include <unordered_map>
#include <vector>
namespace {
using Point = std::array<double, 2>;
struct Node {
    int axis = -1, item = -1;
    double cut = 0;
    std::unique_ptr<Node> below, above;
};
std::unique_ptr<Node> build(std::vector<int> items, const std::vector<Point> &points, int depth) {
    if (items.empty())
        return nullptr;
    int axis = depth % 2;
    std::sort(items.begin(), items.end(), [&](int one, int other) { return points[one][axis] < points[other][axis]; });
    size_t middle = items.size() / 2;
    auto node = std::make_unique<Node>();
    node->axis = axis;
    node->item = items[middle];
    node->cut = points[items[middle]][axis];
    node->below = build({items.begin(), items.begin() + middle}, points, depth + 1);
    node->above = build({items.begin() + middle + 1, items.end()}, points, depth + 1);
    return node;
}
struct Near {
    double distance;
    int item;
    bool operator<(const Near &other) const { return distance < other.distance; }
};
void search(const Node *node, const std::vector<Point> &points, const Point &at, std::priority_queue<Near> &best, size_t most) {
    if (!node)
        return;
    double dx = points[node->item][0] - at[0], dy = points[node->item][1] - at[1], distance = dx * dx + dy * dy;
    if (best.size() < most) {
        best.push({distance, node->item});
    } else if (distance < best.top().distance) {
        best.pop();
        best.push({distance, node->item});
    }
    double side = at[node->axis] - node->cut;
    search(side < 0 ? node->below.get() : node->above.get(), points, at, best, most);
    if (best.size() < most || side * side < best.top().distance)
        search(side < 0 ? node->above.get() : node->below.get(), points, at, best, most);
}
double f(const double *x, int n) {
    std::vector<Point> points;
    std::vector<double> values;
    std::vector<int> items(20);
    for (int i = 0; i < 20; i++) {
        points.push_back({std::cos(2.4 * i) * i * 0.1 + 0.05 * x[i % n], std::sin(2.4 * i) * i * 0.1 + 0.03 * x[(i + 1) % n]});
        values.push_back(x[i % n] * x[(i * 3) % n] + i);
        items[i] = i;
    }
    auto tree = build(items, points, 0);
    std::unordered_map<int, double> weights;
    double sum = 0;
    for (int q = 0; q < 6; q++) {
        std::priority_queue<Near> best;
        Point at{0.21 * q - 0.5, 0.13 * q * q - 0.4};
        search(tree.get(), points, at, best, 3);
        double top = 0, bottom = 0;
        for (; !best.empty(); best.pop()) {
            auto [distance, item] = best.top();
            double weight = std::exp(-3 * distance);
            weights[item] += weight;
            top += weight * values[item];
            bottom += weight;
        }
        sum += top / bottom;
    }
    std::set<int> seen;
    for (auto &[item, weight] : weights) {
        seen.insert(item);
        sum += weight * weight;
    }
    for (int item : seen)
        sum += 0.01 * item * x[item % n];
    return sum;
}
}
REQUESTS(f)
