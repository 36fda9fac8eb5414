/* A node that begins without neighbours is moved to its place as zeros, which nobody says are pointers: what is cleared is zero as whatever
 * it is read. In memory where there was a number before its derivative ends. */
// RUN: %clang -O0 %pass %include %s -o %t %runtime -lm && %t
// RUN: %clang -O2 %pass %include %s -o %t %runtime -lm && %t
#include <backsweep.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __backsweep_gradient_f(void *, ...), __backsweep_gradient_g(void *, ...);
double __backsweep_tangent_f(void *, ...), __backsweep_tangent_g(void *, ...);

struct node {
    double value;
    struct node *left, *right;
};

static struct node *make(double value)
{
    struct node *made = malloc(sizeof *made);
    char nobody[2 * sizeof(struct node *)];
    memset(nobody, 0, sizeof nobody);
    made->value = value;
    memcpy(&made->left, nobody, sizeof nobody);
    return made;
}

static struct node *insert(struct node *tree, double value)
{
    if (!tree)
        return make(value);
    if (value < tree->value)
        tree->left = insert(tree->left, value);
    else
        tree->right = insert(tree->right, value);
    return tree;
}

static double walk(const struct node *tree, double weight)
{
    if (!tree)
        return 0;
    return tree->value * tree->value * weight + walk(tree->left, weight * 0.5) + walk(tree->right, weight + 1);
}

static void drop(struct node *tree)
{
    if (!tree)
        return;
    drop(tree->left);
    drop(tree->right);
    free(tree);
}

static double f(const double *x, int n)
{
    struct node *tree = make(x[0]);
    for (int i = 1; i < 2 * n; i++)
        tree = insert(tree, x[i % n] * (1 + i * 0.3));
    double sum = walk(tree, 1);
    drop(tree);
    return sum;
}

/* What lay in an array before zeros were copied there has no influence on what is read behind. */
static double g(const double *x, int n)
{
    double *kept = malloc(4 * sizeof *kept), sum = 0;
    char nothing[2 * sizeof *kept];
    memset(nothing, 0, sizeof nothing);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++)
            kept[k] = x[i] * (k + 1);
        sum += kept[1] * kept[2];
        memcpy(kept + 1, nothing, sizeof nothing);
        sum += (kept[0] + 2) * (kept[1] + 3) * (kept[2] + 5) * (kept[3] + 7);
    }
    free(kept);
    return sum;
}

static int check(double (*of)(const double *, int), const double *dx, double tangent, const double *v)
{
    const double x[4] = {0.8, 1.3, 0.4, 2.1};
    double along = 0;
    int failed = 0;
    for (int i = 0; i < 4; i++) {
        double y[4], h = 1e-6;
        memcpy(y, x, sizeof x);
        y[i] = x[i] + h;
        double up = of(y, 4);
        y[i] = x[i] - h;
        double slope = (up - of(y, 4)) / (2 * h);
        failed |= fabs(slope - dx[i]) > 1e-7 * (1 + fabs(slope));
        along += dx[i] * v[i];
    }
    return failed || fabs(along - tangent) > 1e-12 * fabs(along);
}

int main(void)
{
    const double x[4] = {0.8, 1.3, 0.4, 2.1}, v[4] = {1, -0.5, 0.25, 2};
    double df[4] = {0}, dg[4] = {0};
    __backsweep_gradient_f((void *)f, x, df, 4);
    __backsweep_gradient_g((void *)g, x, dg, 4);
    double tf = __backsweep_tangent_f((void *)f, x, v, 4), tg = __backsweep_tangent_g((void *)g, x, v, 4);
    int failed = check(f, df, tf, v) | check(g, dg, tg, v) << 1;
    if (failed)
        printf("wrong: %d\n", failed);
    return failed;
}
