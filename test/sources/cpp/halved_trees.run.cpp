// Trees that functions which call themselves hand back by their owner: null, or an empty owner, where there is nothing. Nobody but the type
// of the result says that what is cleared there is a pointer. One tree has no numbers, the other is taken apart as it is read.
// RUN: %levels %s double 0.7 1.3 0.4 0.9 0.15 0.55
#include <memory>
#include <utility>

#include "source.h"

struct Node {
    int at;
    std::unique_ptr<Node> low, high;
};

struct Tree {
    const double *values;
    std::unique_ptr<Node> root;

    std::unique_ptr<Node> build(int from, int to)
    {
        if (from >= to)
            return nullptr;
        int middle = (from + to) / 2;
        auto node = std::make_unique<Node>();
        node->at = middle;
        node->low = build(from, middle);
        node->high = build(middle + 1, to);
        return node;
    }

    double sum(const Node *node, double weight) const
    {
        if (!node)
            return 0;
        double value = values[node->at];
        return value * value * weight + sum(node->low.get(), weight * 2) * value + sum(node->high.get(), weight * 3);
    }
};

struct Heap {
    double key;
    std::unique_ptr<Heap> left, right;
};

static std::unique_ptr<Heap> grow(const double *x, int n)
{
    if (n == 0)
        return {};
    auto heap = std::make_unique<Heap>();
    heap->key = x[0] * x[0];
    heap->left = grow(x + 1, (n - 1) / 2);
    heap->right = grow(x + 1 + (n - 1) / 2, n - 1 - (n - 1) / 2);
    return heap;
}

static double drain(std::unique_ptr<Heap> heap, double factor)
{
    if (!heap)
        return factor;
    double rest = drain(std::move(heap->left), factor * heap->key) + drain(std::move(heap->right), factor + heap->key);
    return rest + heap->key;
}

static double f(const double *x, int n)
{
    Tree tree{x, nullptr};
    tree.root = tree.build(0, n);
    return tree.sum(tree.root.get(), 1) + drain(grow(x, n), 1);
}

REQUESTS(f)
