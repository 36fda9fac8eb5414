/* Plain LAPACK for the tests, which run without one, and the programs' own values: each system is spread out and solved by the same elimination. */
#include <math.h>

enum { MOST = 8 };

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

void dgetrf_(int *m, int *n, double *a, int *lda, int *pivots, int *info)
{
    *info = 0;
    for (int k = 0; k < *m && k < *n; k++) {
        int p = k;
        for (int i = k; i < *m; i++)
            if (fabs(a[i + k * *lda]) > fabs(a[p + k * *lda])) p = i;
        pivots[k] = p + 1;
        for (int j = 0; j < *n; j++) swap(&a[k + j * *lda], &a[p + j * *lda]);
        for (int i = k + 1; i < *m; i++) {
            a[i + k * *lda] /= a[k + k * *lda];
            for (int j = k + 1; j < *n; j++) a[i + j * *lda] -= a[i + k * *lda] * a[k + j * *lda];
        }
    }
}

void dgesv_(int *n, int *columns, double *a, int *lda, int *pivots, double *b, int *ldb, int *info)
{
    dgetrf_(n, n, a, lda, pivots, info);
    for (int c = 0; c < *columns; c++) {
        double *x = b + c * *ldb;
        for (int i = 0; i < *n; i++) {
            swap(&x[i], &x[pivots[i] - 1]);
            for (int k = 0; k < i; k++) x[i] -= a[i + k * *lda] * x[k];
        }
        for (int i = *n - 1; i >= 0; i--) {
            for (int k = i + 1; k < *n; k++) x[i] -= a[i + k * *lda] * x[k];
            x[i] /= a[i + i * *lda];
        }
    }
}

/* A matrix given element by element. */
static void solve(double element(const void *, int, int), const void *of, int n, int columns, double *b, int ldb, int *info)
{
    double a[MOST * MOST];
    int pivots[MOST];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) a[i + j * n] = element(of, i, j);
    dgesv_(&n, &columns, a, &n, pivots, b, &ldb, info);
}

struct part {
    const double *a, *below, *above;
    const int *pivots;
    int n, lda;
    char half, trans, diag;
};

/* What was factored, put together again, with its rows where they were. */
static double product(const void *of, int i, int j)
{
    const struct part *p = of;
    int rows[MOST];
    if (p->trans != 'N') {
        int kept = i;
        i = j;
        j = kept;
    }
    for (int r = 0; r < p->n; r++) rows[r] = r;
    for (int r = 0; r < p->n; r++) {
        int kept = rows[r];
        rows[r] = rows[p->pivots[r] - 1];
        rows[p->pivots[r] - 1] = kept;
    }
    int at = 0;
    while (rows[at] != i) at++;
    double sum = 0;
    for (int k = 0; k <= at && k <= j; k++) sum += (k == at ? 1 : p->a[at + k * p->lda]) * p->a[k + j * p->lda];
    return sum;
}

static double of_diagonals(const void *of, int i, int j)
{
    const struct part *p = of;
    return i == j ? p->a[i] : i == j + 1 ? p->below[j] : j == i + 1 ? p->above[i] : 0;
}

static double of_half(const void *of, int i, int j)
{
    const struct part *p = of;
    int row = p->trans == 'N' ? i : j, column = p->trans == 'N' ? j : i;
    if (row == column && p->diag == 'U') return 1;
    return (p->half == 'U' ? row <= column : row >= column) ? p->a[row + column * p->lda] : 0;
}

static double mirrored(const void *of, int i, int j)
{
    const struct part *p = of;
    return (p->half == 'U') == (i < j) ? p->a[i + j * p->lda] : p->a[j + i * p->lda];
}

void dgetrs_(const char *trans, int *n, int *columns, double *a, int *lda, int *pivots, double *b, int *ldb, int *info)
{
    struct part p = {.a = a, .pivots = pivots, .n = *n, .lda = *lda, .trans = *trans};
    solve(product, &p, *n, *columns, b, *ldb, info);
}

void dgtsv_(int *n, int *columns, double *below, double *main, double *above, double *b, int *ldb, int *info)
{
    struct part p = {.a = main, .below = below, .above = above};
    solve(of_diagonals, &p, *n, *columns, b, *ldb, info);
}

void dtrtrs_(const char *half, const char *trans, const char *diag, int *n, int *columns, double *a, int *lda, double *b, int *ldb, int *info)
{
    struct part p = {.a = a, .lda = *lda, .half = *half, .trans = *trans, .diag = *diag};
    solve(of_half, &p, *n, *columns, b, *ldb, info);
}

/* The matrix is left as it was: the tests do not look at what becomes of it. */
void dposv_(const char *half, int *n, int *columns, double *a, int *lda, double *b, int *ldb, int *info)
{
    struct part p = {.a = a, .lda = *lda, .half = *half};
    solve(mirrored, &p, *n, *columns, b, *ldb, info);
}
