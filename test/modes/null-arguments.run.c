/* What calls itself may be given null where else it is given active memory: null is the shadow of null. */
// RUN: %clang -O0 -g %pass %s -o %t %runtime && %t
// RUN: %clang -O1 %pass %s -o %t %runtime && %t
// RUN: %clang -O3 %pass %s -o %t %runtime && %t
// RUN: %clang -O2 -S -emit-llvm %s -o %t.ll && %opt -passes=backsweep %t.ll -o %t.bc && %clang %t.bc -o %t %runtime && %t
#include <math.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

struct node { double value; struct node *left, *right; };

static struct node *insert(struct node *at, double value)
{
    if (!at) {
        at = malloc(sizeof *at);
        at->value = value;
        at->left = at->right = NULL;
    } else if (value < at->value)
        at->left = insert(at->left, value);
    else
        at->right = insert(at->right, value);
    return at;
}

static double weigh(const struct node *at, int depth)
{
    return at ? at->value * at->value * depth + weigh(at->left, depth + 1) + weigh(at->right, depth + 1) : 0;
}

static void drop(struct node *at)
{
    if (at) drop(at->left), drop(at->right), free(at);
}

static double tree(double x)
{
    double values[] = {x * x, 3 - x, x / 2, 2};
    struct node *root = insert(NULL, x);
    for (int i = 0; i < 4; i++) root = insert(root, values[i]);
    double weight = weigh(root, 1) + weigh(NULL, 7);
    drop(root);
    return weight;
}

/* A second result that nobody asked for. */
static double chain(double x, int n, double *slope)
{
    double below = n ? chain(x * x, n - 1, n > 1 ? slope : NULL) : x;
    if (slope) *slope += x * below;
    return below * x;
}

static double both(double x)
{
    double slope = x;
    return chain(x, 3, &slope) + slope + chain(x, 2, NULL);
}

static int differ(double (*f)(double), double found, double x)
{
    double expected = (f(x + 1e-5) - f(x - 1e-5)) / 2e-5;
    return !(fabs(found - expected) <= 1e-7 * (1 + fabs(expected)));
}

int main(void)
{
    if (differ(tree, __enzyme_autodiff((void *)tree, 1.3), 1.3)) return 1;
    if (differ(tree, __enzyme_fwddiff((void *)tree, 1.3, 1.0), 1.3)) return 2;
    if (differ(both, __enzyme_autodiff((void *)both, 1.1), 1.1)) return 3;
    if (differ(both, __enzyme_fwddiff((void *)both, 1.1, 1.0), 1.1)) return 4;
    return 0;
}
