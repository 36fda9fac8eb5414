// A tree of tagged unions, evaluated by recursion and a switch.
#include <math.h>
#include <stdio.h>

enum Kind { LEAF, SUM, PRODUCT, SINE, QUOTIENT };

typedef struct Tree {
  enum Kind kind;
  union {
    double leaf;
    struct {
      const struct Tree *left, *right;
    };
  };
} Tree;

static double evaluate(const Tree *tree) {
  switch (tree->kind) {
  case LEAF: return tree->leaf;
  case SUM: return evaluate(tree->left) + evaluate(tree->right);
  case PRODUCT: return evaluate(tree->left) * evaluate(tree->right);
  case SINE: return sin(evaluate(tree->left));
  case QUOTIENT: return evaluate(tree->left) / (1.0 + evaluate(tree->right) * evaluate(tree->right));
  }
  __builtin_unreachable();
}

double f(const double *x, int n) {
  Tree a = {LEAF, {.leaf = x[0]}}, b = {LEAF, {.leaf = x[1 % n]}}, c = {LEAF, {.leaf = x[2 % n]}};
  Tree sum = {.kind = SUM, .left = &a, .right = &b};
  Tree product = {.kind = PRODUCT, .left = &sum, .right = &c};
  Tree sine = {.kind = SINE, .left = &product};
  Tree quotient = {.kind = QUOTIENT, .left = &sine, .right = &sum};
  Tree root = {.kind = SUM, .left = &quotient, .right = &product};
  return evaluate(&root);
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
