// Visitors of an expression tree: what accepts them and what visits stands at the same place of its table, and takes an object by reference as
// well, but of another size. Beside it `std::any`, whose exception has a destructor as virtual as those of the nodes.
// RUN: %levels %s double 0.53 1.37 0.21 0.83
#include <any>
#include <cmath>
#include <memory>
#include <vector>

#include "source.h"

struct Number;
struct Zero;
struct Negated;
struct Product;

struct Visitor {
    virtual void on(const Number &) = 0;
    virtual void on(const Zero &) = 0;
    virtual void on(const Negated &) = 0;
    virtual void on(const Product &) = 0;
    virtual ~Visitor() = default;
};

struct Node {
    virtual void accept(Visitor &) const = 0;
    virtual ~Node() = default;
};

struct Number : Node {
    double value;
    explicit Number(double at) : value(at) {}
    void accept(Visitor &visitor) const override { visitor.on(*this); }
};

struct Zero : Node {
    void accept(Visitor &visitor) const override { visitor.on(*this); }
};

struct Negated : Node {
    std::unique_ptr<Node> of;
    explicit Negated(std::unique_ptr<Node> node) : of(std::move(node)) {}
    void accept(Visitor &visitor) const override { visitor.on(*this); }
};

struct Product : Node {
    std::unique_ptr<Node> left, right;
    Product(std::unique_ptr<Node> one, std::unique_ptr<Node> other) : left(std::move(one)), right(std::move(other)) {}
    void accept(Visitor &visitor) const override { visitor.on(*this); }
};

struct Value : Visitor {
    double result = 0;
    double of(const Node &node)
    {
        node.accept(*this);
        return result;
    }
    void on(const Number &node) override { result = node.value; }
    void on(const Zero &) override { result = 0; }
    void on(const Negated &node) override { result = -of(*node.of); }
    void on(const Product &node) override
    {
        double left = of(*node.left);
        result = left * of(*node.right);
    }
};

static std::unique_ptr<Node> number(double at) { return std::make_unique<Number>(at); }

static double f(const double *x, int n)
{
    Value value;
    double sum = 0;
    for (int i = 0; i + 1 < n; i++) {
        std::unique_ptr<Node> left = number(std::sin(x[i]));
        if (i % 2)
            left = std::make_unique<Negated>(std::move(left));
        Product product(std::move(left), number(x[i + 1]));
        sum += value.of(product) + value.of(Zero());
    }
    std::any bag = x[0] * x[1];
    double kept = std::any_cast<double>(bag);
    bag = std::vector<double>{x[2], x[3]};
    return sum + kept * std::any_cast<std::vector<double> &>(bag)[1];
}

REQUESTS(f)
