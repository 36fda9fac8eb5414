// A search by recursion that returns a number and whom it belongs to: a pointer beside a float.
// RUN: %levels %s double 0.93 1.17 0.71 1.33
#include "source.h"
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

struct Material {
    double albedo;
};

struct Node {
    double place;
    const Material *material;
    std::vector<std::unique_ptr<Node>> inner;
};

using Found = std::pair<double, const Material *>;

static Found nearest(const Node &node, double from)
{
    Found best{std::fabs(node.place - from) + 0.1 * from * from, node.material};
    for (const auto &inner : node.inner) {
        Found found = nearest(*inner, from);
        if (found.first < best.first)
            best = found;
    }
    return best;
}

/* The pointer first, in a class of its own. */
struct Hit {
    const Node *node;
    double distance;
};

static Hit deepest(const Node &node, double from)
{
    if (node.place < -1)
        throw std::domain_error("out of reach");
    Hit best{&node, node.place * from};
    for (const auto &inner : node.inner) {
        Hit hit = deepest(*inner, from * 0.9);
        if (hit.distance > best.distance)
            best = hit;
    }
    return best;
}

static double f(const double *x, int n)
{
    Material materials[2] = {{x[0]}, {x[1] * 2}};
    Node root{x[2], &materials[0], {}};
    for (int i = 0; i < 3; i++) {
        auto inner = std::make_unique<Node>(Node{x[i] * i, &materials[i % 2], {}});
        for (int j = 0; j < 2; j++)
            inner->inner.push_back(std::make_unique<Node>(Node{x[n - 1] * j + i, &materials[j], {}}));
        root.inner.push_back(std::move(inner));
    }
    double sum = 0;
    for (int i = 0; i < 6; i++) {
        auto [distance, material] = nearest(root, 0.4 * i);
        sum += distance * material->albedo;
    }
    Hit hit = deepest(root, x[1]);
    return sum + hit.distance * hit.node->place;
}

REQUESTS(f)
