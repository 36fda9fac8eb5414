// Trees and products of a factory that go through virtual destructors, in a file where other destructors of the same kind are called as the
// program ends, or have a second name: none of those is what a virtual call leads to.
// RUN: %levels %s double 0.53 1.37 0.21 0.83
#include <map>
#include <memory>
#include <vector>

#include "source.h"

static std::vector<double> history;
static std::unique_ptr<double> last;

// Its destructor is nobody's here, stands outside of the class, and has two names.
struct Logger {
    double *p = nullptr;
    ~Logger();
};
Logger::~Logger() { delete p; }

struct Node {
    virtual double value() const = 0;
    virtual ~Node() = default;
};

struct Leaf : Node {
    double v;
    explicit Leaf(double at) : v(at) {}
    double value() const override { return v * v; }
};

struct Group : Node {
    std::vector<Node *> parts;
    ~Group() override
    {
        for (Node *part : parts)
            delete part;
    }
    double value() const override
    {
        double sum = 0;
        for (const Node *part : parts)
            sum += part->value();
        return sum;
    }
};

struct Gain {
    double k;
    explicit Gain(double at) : k(at) {}
    virtual double of(double x) const { return k * x; }
    virtual ~Gain();
};
Gain::~Gain() {}

struct Limited : Gain {
    double most;
    explicit Limited(double at) : Gain(at), most(2 * at) {}
    double of(double x) const override { return most * x / (1 + x * x); }
    ~Limited() override { most = 0; }
};

using Maker = Gain *(*)(double);
static std::map<int, Maker> makers;
static bool are_known = (makers[0] = [](double k) { return new Gain(k); },
                         makers[1] = [](double k) -> Gain * { return new Limited(k); }, true);

static double f(const double *x, int n)
{
    Group *root = new Group;
    for (int i = 0; i + 1 < n; i++) {
        Group *branch = new Group;
        branch->parts.push_back(new Leaf(x[i] * x[i + 1]));
        branch->parts.push_back(new Leaf(x[i]));
        root->parts.push_back(branch);
    }
    double sum = root->value();
    delete root;
    for (int i = 0; i < n; i++) {
        Gain *gain = makers.find(i % 2)->second(x[i]);
        sum += gain->of(x[0]);
        delete gain;
    }
    return sum;
}

REQUESTS(f)
