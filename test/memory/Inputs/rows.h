/* Arrays of rows that a function makes, fills and frees. Whoever includes it says how many rows, N, of how many numbers there are. */
#include <math.h>
#include <stdlib.h>

static double **make(void)
{
    double **rows = malloc(N * sizeof *rows);
    for (int i = 0; i < N; i++)
        rows[i] = calloc(N, sizeof **rows);
    return rows;
}

static void end(double **rows)
{
    for (int i = 0; i < N; i++)
        free(rows[i]);
    free(rows);
}

static void fill(double **a, const double *x)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = sin(x[i] + j) + x[j];
}

static double trace(double **a)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i][i];
    return sum;
}
