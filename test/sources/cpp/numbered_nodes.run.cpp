// Trees whose nodes lie in one array and are called by their numbers: what builds one by recursion returns the number of the next node.
// RUN: %levels %s conditioned 0.93 1.17 0.71 1.33
#include "source.h"
#include <algorithm>
#include <cmath>
#include <vector>

struct Node {
    double centre, mass;
    int left, right;
};

// The number is how many there are.
struct Growing {
    std::vector<Node> nodes;

    int build(const std::vector<double> &places, int from, int to)
    {
        if (from >= to)
            return -1;
        int middle = (from + to) / 2, number = int(nodes.size());
        nodes.push_back({places[middle], places[middle] * places[middle], -1, -1});
        int left = build(places, from, middle), right = build(places, middle + 1, to);
        nodes[number].left = left;
        nodes[number].right = right;
        for (int inner : {left, right})
            if (inner >= 0)
                nodes[number].mass += nodes[inner].mass;
        return number;
    }

    double pull(int number, double from) const
    {
        if (number < 0)
            return 0;
        const Node &node = nodes[number];
        double apart = node.centre - from;
        return node.mass / (1 + apart * apart) + pull(apart > 0 ? node.left : node.right, from);
    }
};

// The number is counted beside them.
struct Fixed {
    Node nodes[16];
    int count = 0;

    int build(const double *places, int from, int to)
    {
        if (from >= to)
            return -1;
        int middle = (from + to) / 2, number = count++;
        nodes[number] = {places[middle], places[middle] * places[middle], -1, -1};
        nodes[number].left = build(places, from, middle);
        nodes[number].right = build(places, middle + 1, to);
        if (nodes[number].left >= 0)
            nodes[number].mass += nodes[nodes[number].left].mass;
        return number;
    }

    double pull(int number, double from) const
    {
        if (number < 0)
            return 0;
        double apart = nodes[number].centre - from;
        return nodes[number].mass / (1 + apart * apart) + pull(nodes[number].left, from) +
               0.5 * pull(nodes[number].right, from);
    }
};

static double f(const double *x, int n)
{
    std::vector<double> places;
    for (int i = 0; i < 7; i++)
        places.push_back(std::sin(1.7 * i + 0.3) * x[i % n]);
    std::sort(places.begin(), places.end());
    Growing growing;
    Fixed fixed;
    int root = growing.build(places, 0, 7), other = fixed.build(places.data(), 0, 7);
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += growing.pull(root, 0.31 * i * x[1]) + fixed.pull(other, 0.2 * i * x[2]);
    return sum;
}

REQUESTS(f)
