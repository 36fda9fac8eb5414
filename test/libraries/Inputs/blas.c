/* A plain BLAS for the tests, which run without one, and the programs' own values. Each routine is written from its definition. */
#include <math.h>

enum { ROWS = 101, NO = 111, UPPER = 121, UNIT = 132, LEFT = 141 };

static long at(int order, int i, int j, int ld) { return order == ROWS ? (long)i * ld + j : i + (long)j * ld; }
static double element(int order, int trans, const double *a, int i, int j, int ld)
{
    return trans == NO ? a[at(order, i, j, ld)] : a[at(order, j, i, ld)];
}
static const double *place(const double *x, int n, int step, int i) { return x + (step < 0 ? (long)(i - n + 1) * step : (long)i * step); }
#define X(i) (*place(x, n, sx, i))
#define Y(i) (*(double *)place(y, n, sy, i))

double cblas_ddot(int n, const double *x, int sx, const double *y, int sy)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += X(i) * Y(i);
    return s;
}
void cblas_daxpy(int n, double a, const double *x, int sx, double *y, int sy)
{
    for (int i = 0; i < n; i++) Y(i) += a * X(i);
}
void cblas_dcopy(int n, const double *x, int sx, double *y, int sy)
{
    for (int i = 0; i < n; i++) Y(i) = X(i);
}
void cblas_dscal(int n, double a, double *x, int sx)
{
    for (int i = 0; i < n; i++) x[i * sx] *= a;
}
double cblas_dnrm2(int n, const double *x, int sx) { return sqrt(cblas_ddot(n, x, sx, x, sx)); }
double cblas_dasum(int n, const double *x, int sx)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += fabs(X(i));
    return s;
}
unsigned long cblas_idamax(int n, const double *x, int sx)
{
    unsigned long at = 0;
    for (int i = 1; i < n; i++)
        if (fabs(X(i)) > fabs(X(at))) at = i;
    return at;
}
int idamax_(int *n, double *x, int *sx) { return *n > 0 ? cblas_idamax(*n, x, *sx) + 1 : 0; }
void cblas_dgemm(int o, int ta, int tb, int m, int n, int k, double alpha, const double *a, int lda, const double *b, int ldb,
                 double beta, double *c, int ldc)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int l = 0; l < k; l++) s += element(o, ta, a, i, l, lda) * element(o, tb, b, l, j, ldb);
            c[at(o, i, j, ldc)] = alpha * s + (beta == 0 ? 0 : beta * c[at(o, i, j, ldc)]);
        }
}
void cblas_dgemv(int o, int t, int m, int n, double alpha, const double *a, int lda, const double *x, int sx, double beta, double *y, int sy)
{
    int rows = t == NO ? m : n, columns = t == NO ? n : m;
    for (int i = 0; i < rows; i++) {
        double s = 0;
        for (int j = 0; j < columns; j++) s += element(o, t, a, i, j, lda) * *place(x, columns, sx, j);
        double *to = (double *)place(y, rows, sy, i);
        *to = alpha * s + (beta == 0 ? 0 : beta * *to);
    }
}
void cblas_dger(int o, int m, int n, double alpha, const double *x, int sx, const double *y, int sy, double *a, int lda)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) a[at(o, i, j, lda)] += alpha * *place(x, m, sx, i) * *place(y, n, sy, j);
}
void cblas_dsyrk(int o, int u, int t, int n, int k, double alpha, const double *a, int lda, double beta, double *c, int ldc)
{
    for (int i = 0; i < n; i++)
        for (int j = u == UPPER ? i : 0; j < (u == UPPER ? n : i + 1); j++) {
            double s = 0;
            for (int l = 0; l < k; l++) s += element(o, t, a, i, l, lda) * element(o, t, a, j, l, lda);
            c[at(o, i, j, ldc)] = alpha * s + beta * c[at(o, i, j, ldc)];
        }
}
static double half(int o, int u, int t, int d, const double *a, int i, int j, int ld)
{
    if (i == j && d == UNIT) return 1;
    int row = t == NO ? i : j, column = t == NO ? j : i;
    return (u == UPPER ? row > column : row < column) ? 0 : a[at(o, row, column, ld)];
}
void cblas_dsymm(int o, int side, int u, int m, int n, double alpha, const double *a, int lda, const double *b, int ldb, double beta,
                 double *c, int ldc)
{
    double full[64];
    int order = side == LEFT ? m : n;
    for (int i = 0; i < order; i++)
        for (int j = 0; j < order; j++) full[i * order + j] = half(o, u, (u == UPPER) == (i <= j) ? NO : NO + 1, 0, a, i, j, lda);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int l = 0; l < order; l++)
                s += side == LEFT ? full[i * order + l] * b[at(o, l, j, ldb)] : b[at(o, i, l, ldb)] * full[l * order + j];
            c[at(o, i, j, ldc)] = alpha * s + beta * c[at(o, i, j, ldc)];
        }
}
void cblas_dtrmm(int o, int side, int u, int t, int d, int m, int n, double alpha, const double *a, int lda, double *b, int ldb)
{
    double old[64];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) old[i * n + j] = b[at(o, i, j, ldb)];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int l = 0; l < (side == LEFT ? m : n); l++)
                s += side == LEFT ? half(o, u, t, d, a, i, l, lda) * old[l * n + j] : old[i * n + l] * half(o, u, t, d, a, l, j, lda);
            b[at(o, i, j, ldb)] = alpha * s;
        }
}
void cblas_dtrmv(int o, int u, int t, int d, int n, const double *a, int lda, double *x, int sx)
{
    double old[8];
    for (int i = 0; i < n; i++) old[i] = X(i);
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++) s += half(o, u, t, d, a, i, j, lda) * old[j];
        *(double *)place(x, n, sx, i) = s;
    }
}
/* By elimination of the whole matrix, which is another way than substitution. */
void cblas_dtrsv(int o, int u, int t, int d, int n, const double *a, int lda, double *x, int sx)
{
    double whole[8][9];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) whole[i][j] = half(o, u, t, d, a, i, j, lda);
        whole[i][n] = X(i);
    }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = n; i != k && j >= k; j--) whole[i][j] -= whole[i][k] / whole[k][k] * whole[k][j];
    for (int i = 0; i < n; i++) *(double *)place(x, n, sx, i) = whole[i][n] / whole[i][i];
}

static int code(const char *text)
{
    switch (*text) {
    case 'N': return NO;
    case 'T': return NO + 1;
    case 'U': return UPPER;
    default: return UPPER + 1;
    }
}
/* By Fortran's names, some of them with the lengths of their texts behind. */
double ddot_(int *n, double *x, int *sx, double *y, int *sy) { return cblas_ddot(*n, x, *sx, y, *sy); }
void dgemm_(const char *ta, const char *tb, int *m, int *n, int *k, double *alpha, double *a, int *lda, double *b, int *ldb, double *beta,
            double *c, int *ldc)
{
    cblas_dgemm(102, code(ta), code(tb), *m, *n, *k, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);
}
void dpotrf_(const char *u, int *n, double *a, int *lda, int *info)
{
    int upper = code(u) == UPPER;
    *info = 0;
#define A(i, j) a[upper ? (j) + (i) * *lda : (i) + (j) * *lda]
    for (int j = 0; j < *n; j++)
        for (int i = j; i < *n; i++) {
            double s = A(i, j);
            for (int k = 0; k < j; k++) s -= A(i, k) * A(j, k);
            if (i == j && s <= 0) { *info = j + 1; return; }
            A(i, j) = i == j ? sqrt(s) : s / A(j, j);
        }
}
void dlacpy_(const char *u, int *m, int *n, double *a, int *lda, double *b, int *ldb)
{
    for (int j = 0; j < *n; j++)
        for (int i = 0; i < *m; i++)
            if (*u == 'A' || (*u == 'U' ? i <= j : i >= j)) b[i + j * *ldb] = a[i + j * *lda];
}
