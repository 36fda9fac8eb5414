/* Memory that is made in loops, kept in lists and arrays of rows, and freed, in every mode. AddressSanitizer sees what
   is freed twice, too early, or never. */
// RUN: %clang -O0 -g %include -fpass-plugin=%plugin %s -o %t %runtime -lm && %t
// RUN: %clang -O1 -g -fsanitize=address %include -fpass-plugin=%plugin %s -o %t %runtime -lm && %t
// RUN: %clang -O2 %include -fpass-plugin=%plugin %s -o %t %runtime -lm && %t
// RUN: %clang -O3 -ffast-math %include -fpass-plugin=%plugin %s -o %t %runtime -lm && %t
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

enum { N = 5 };

/* A buffer in each pass; the next is often at the same address. */
static double buffer_in_loop(double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double *t = malloc((i + 1) * sizeof *t);
        for (int j = 0; j <= i; j++) t[j] = x[j] * x[i] + (j ? t[j - 1] : 0);
        sum += sin(t[i]) * t[0];
        free(t);
    }
    return sum;
}

/* Freed on some paths only, and swapped with the one of the pass before. */
static double swapped(double *x, int n) {
    double *old = calloc(n, sizeof *old);
    for (int i = 0; i < n; i++) old[i] = x[i];
    for (int step = 0; step < 4; step++) {
        double *next = malloc(n * sizeof *next);
        for (int i = 0; i < n; i++) next[i] = old[i] * old[(i + 1) % n] + sin(old[i]);
        free(old);
        old = next;
        if (old[0] > 2 && step == 2) break;
    }
    double sum = 0;
    for (int i = 0; i < n; i++) sum += old[i];
    free(old);
    return sum;
}

static double rows(double *x, int n) {
    double **a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = malloc(n * sizeof **a);
        for (int j = 0; j < n; j++) a[i][j] = x[i] * cos(x[j]);
    }
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++) a[i][j] += a[i - 1][j] * a[i][(j + 1) % n];
    double *row = a[0];
    a[0] = a[n - 1], a[n - 1] = row;
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i][i] * (i + 1);
    for (int i = 0; i < n; i++) free(a[i]);
    free(a);
    return sum;
}

struct node {
    double value;
    struct node *next;
};

static double list(double *x, int n) {
    struct node *head = NULL;
    for (int i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = x[i] * x[i];
        node->next = head;
        head = node;
    }
    double product = 1;
    for (struct node *node = head; node; node = node->next) {
        product *= 1 + node->value;
        node->value = product;
    }
    double sum = 0;
    while (head) {
        struct node *next = head->next;
        sum += head->value;
        free(head);
        head = next;
    }
    return sum;
}

/* Nodes are taken out and put back while the list is walked. */
static double filtered_list(double *x, int n) {
    struct node anchor = {0, NULL};
    for (int i = 0; i < n; i++) {
        struct node *node = calloc(1, sizeof *node);
        node->value = x[i];
        node->next = anchor.next;
        anchor.next = node;
    }
    for (struct node **at = &anchor.next; *at;) {
        struct node *node = *at;
        if (node->value < 0.8) {
            *at = node->next;
            free(node);
        } else {
            node->value *= x[0];
            at = &node->next;
        }
    }
    double sum = 0;
    while (anchor.next) {
        struct node *next = anchor.next->next;
        sum += anchor.next->value * anchor.next->value;
        free(anchor.next);
        anchor.next = next;
    }
    return sum;
}

/* Cleared, kept under null when it is gone, freed again as null. */
struct holder {
    double *data;
    double scale;
};

static double held(double *x, int n) {
    struct holder *h = malloc(sizeof *h);
    memset(h, 0, sizeof *h);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        free(h->data);
        h->data = NULL;
        h->scale += x[i];
        if (i % 2) continue;
        h->data = malloc(2 * sizeof(double));
        h->data[0] = x[i] * h->scale;
        h->data[1] = h->data[0] * h->data[0];
        sum += h->data[1];
    }
    free(h->data);
    free(h);
    return sum;
}

/* Slots of a size known only when they are made, in a loop. */
static double variable_length(double *x, int n) {
    double sum = 0;
    for (int i = 1; i <= n; i++) {
        double t[i];
        t[0] = x[0];
        for (int j = 1; j < i; j++) t[j] = t[j - 1] * x[j];
        for (int j = 0; j < i; j++) sum += t[j] * t[i - 1];
    }
    return sum;
}

/* A list whose nodes are slots. */
static double list_on_stack(double *x, int n) {
    struct node *head = NULL;
    for (int i = 0; i < n; i++) {
        struct node *node = __builtin_alloca(sizeof *node);
        node->value = sin(x[i]);
        node->next = head;
        head = node;
    }
    double sum = 0;
    for (; head; head = head->next) sum = sum * head->value + head->value;
    return sum;
}

/* A recursive walk over what was made here. */
struct tree {
    double value;
    struct tree *left, *right;
};

static double fold(struct tree *t) {
    if (!t) return 0.5;
    return t->value * fold(t->left) + fold(t->right) * fold(t->right);
}

static double tree(double *x, int n) {
    struct tree *all[2 * N], *root = NULL;
    for (int i = 0; i < n; i++) {
        struct tree *t = malloc(sizeof *t);
        t->value = x[i] * x[0];
        t->left = i > 0 ? all[(i - 1) / 2] : NULL;
        t->right = i > 1 ? all[i - 2] : NULL;
        all[i] = root = t;
    }
    double sum = fold(root);
    for (int i = 0; i < n; i++) free(all[i]);
    return sum;
}

static int failures;

static void check(const char *name, double (*f)(double *, int), const double *gradient, const double *tangent) {
    double x[N] = {0.9, 0.7, 1.2, 0.6, 1.1}, h = 1e-6;
    for (int i = 0; i < N; i++) {
        double at = x[i];
        x[i] = at + h;
        double above = f(x, N);
        x[i] = at - h;
        double slope = (above - f(x, N)) / (2 * h);
        x[i] = at;
        double bound = 1e-7 * (1 + fabs(slope));
        if (fabs(gradient[i] - slope) <= bound && fabs(tangent[i] - slope) <= bound) continue;
        printf("%s: d/dx[%d] = %.12g, forward %.12g, differences say %.12g\n", name, i, gradient[i], tangent[i], slope);
        failures++;
    }
}

#define TRY(f)                                                             \
    do {                                                                   \
        double x[N] = {0.9, 0.7, 1.2, 0.6, 1.1}, dx[N] = {0}, tangent[N]; \
        __backsweep_gradient((void *)f, x, dx, N);                         \
        for (int i = 0; i < N; i++) {                                      \
            double e[N] = {0};                                             \
            e[i] = 1;                                                      \
            tangent[i] = __backsweep_tangent((void *)f, x, e, N);          \
        }                                                                  \
        check(#f, f, dx, tangent);                                         \
    } while (0)

int main(void) {
    TRY(buffer_in_loop);
    TRY(swapped);
    TRY(rows);
    TRY(list);
    TRY(filtered_list);
    TRY(held);
    TRY(variable_length);
    TRY(list_on_stack);
    TRY(tree);
    return failures != 0;
}
