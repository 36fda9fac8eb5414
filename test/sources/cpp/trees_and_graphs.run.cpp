// A tree of unique_ptr and a graph of lists of edges in one program. Two pointers that may both be null, as those of empty
// vectors, have no memory in common by that.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <memory>
#include <vector>
#include <algorithm>
#include <cmath>
namespace {
struct Node { double value; std::unique_ptr<Node> left, right; explicit Node(double v) : value(v) {} };
void insert(std::unique_ptr<Node> &root, double v) { if (!root) root = std::make_unique<Node>(v); else if (v < root->value) insert(root->left, v); else insert(root->right, v); }
double walk(const Node *n, int depth) { return n ? walk(n->left.get(), depth + 1) + n->value * depth + walk(n->right.get(), depth + 1) * 0.5 : 0; }
struct Graph { struct Edge { int to; double w; }; std::vector<std::vector<Edge>> adj; explicit Graph(int n) : adj(n) {} void add(int a, int b, double w) { adj[a].push_back({b, w}); adj[b].push_back({a, w}); } };
double f(const double *x, int n) {
    std::unique_ptr<Node> root;
    for (int i = 0; i < n; i++) insert(root, x[i]);
    double s = walk(root.get(), 1);
    Graph g(n);
    for (int i = 0; i < n; i++) g.add(i, (i + 1) % n, x[i] * x[i] + 0.1);
    std::vector<double> dist(n, 1e9); dist[0] = 0;
    for (int r = 0; r < n; r++) for (int u = 0; u < n; u++) for (const auto &e : g.adj[u]) dist[e.to] = std::min(dist[e.to], dist[u] + e.w);
    for (double d : dist) s += d * d;
    return s;
}
}
REQUESTS(f)
