// Sizes that are members of a struct with a shadow, joined with others, and handed to a function that calls itself and returns
// one of them: they are integers there as well.
// RUN: %clang -O0 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O2 %include %pass %s -o %t %runtime && %t
#include <math.h>

#include "backsweep.h"

struct matrix { double *data; long rows, columns; };

/* Halves until one row is left; the last row with a small entry. */
__attribute__((noinline)) static long scale(double *data, long rows, long columns, double by)
{
    if (rows > 1) {
        long top = scale(data, rows / 2, columns, by * data[0]);
        long rest = scale(data + rows / 2 * columns, rows - rows / 2, columns, by);
        return top < rest ? rest : rows;
    }
    for (long i = 0; i < columns; i++)
        data[i] *= by + i * data[0];
    return data[0] < 1e-3 ? rows : columns;
}

static double norm(const struct matrix *a, struct matrix *work)
{
    if (work->rows != a->rows)
        work->rows = a->rows;
    for (long i = 0; i < a->rows * a->columns; i++)
        work->data[i] = a->data[i];
    long columns = a->columns < work->columns ? a->columns : work->columns;
    long last = scale(work->data, work->rows, columns, 2.0);
    double sum = 0;
    for (long i = 0; i < work->rows * columns; i++)
        sum += work->data[i] * work->data[i] * last;
    return sum;
}

int main(void)
{
    double data[6] = {1, 0.5, 0.3, 2, 0.7, 1.5}, ddata[6] = {0}, room[6] = {0}, droom[6] = {0};
    struct matrix a = {data, 3, 2}, da = {ddata, 0, 0}, work = {room, 1, 2}, dwork = {droom, 0, 0};
    __backsweep_gradient((void *)norm, &a, &da, &work, &dwork);
    for (int i = 0; i < 6; i++) {
        double at = data[i], up = (data[i] = at + 1e-6, norm(&a, &work)), down = (data[i] = at - 1e-6, norm(&a, &work));
        data[i] = at;
        double want = (up - down) / 2e-6;
        if (!(fabs(ddata[i] - want) < 1e-6 * (1 + fabs(want))))
            return i + 1;
    }
    return 0;
}
