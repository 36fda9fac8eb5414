/* Blocks that grow where they were found in memory: rows of a table that grows itself and lies in memory itself;
 * a block that shrinks, and grows again behind others. How much there was nobody can tell from the program. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include -I%S/../sources/Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.9 1.1 0.7 1.3
// RUN: %clang -O1 -c %S/../sources/Inputs/check.c -o %t.check.o
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
// REDEFINE: %{level} = -O2 -fsanitize=address
// RUN: %{check}

#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "source.h"

struct row {
    double *data;
    size_t length, room;
};

struct table {
    struct row *rows;
    int count, room;
};

static void add_number(struct row *row, double value)
{
    if (row->length == row->room) {
        row->room = row->room ? 2 * row->room : 1;
        row->data = realloc(row->data, row->room * sizeof *row->data);
    }
    row->data[row->length++] = value;
}

static struct row *add_row(struct table *table)
{
    if (table->count == table->room) {
        table->room += 2;
        table->rows = reallocarray(table->rows, table->room, sizeof *table->rows);
    }
    return memset(&table->rows[table->count++], 0, sizeof *table->rows);
}

static double f(const double *x, int n)
{
    struct table *table = calloc(1, sizeof *table);
    for (int i = 0; i < 7; i++) {
        struct row *row = add_row(table);
        for (int k = 0; k <= i; k++)
            add_number(row, x[i % n] * x[k % n] + (i > 2 ? table->rows[i - 2].data[k / 2] : 1));
    }
    struct row *first = &table->rows[0];
    first->data = realloc(first->data, (first->length = first->room = 2) * sizeof *first->data);
    for (int i = 0; i < 5; i++)
        add_number(first, x[i % n] * first->data[i]);
    double sum = 0;
    for (int i = 0; i < table->count; i++) {
        for (size_t k = 0; k < table->rows[i].length; k++)
            sum += table->rows[i].data[k] * table->rows[i].data[k] * (k + 1);
        free(table->rows[i].data);
    }
    free(table->rows);
    free(table);
    return sum;
}
REQUESTS(f)
