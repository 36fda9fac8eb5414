/* Members of structs in memory of the user: copies of whole structs leave integers in shadows as they are, padding too, and
 * move every float. */
// RUN: for level in -O0 -O1 -O2 -O3; do %clang $level %include -fpass-plugin=%plugin %s -o %t %runtime && %t || exit 1; done
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

struct record {
    int id;
    double v;
    char c;
    float w;
    long count;
};

static double swap(struct record *s)
{
    struct record t = s[0];
    s[0] = s[1];
    s[1] = t;
    s[1].v *= 2;
    return s[0].v * s[1].v + s[0].w;
}

/* Through pointers that are found, so that members may be touched under other names. */
static double rows(struct record **row, int k)
{
    struct record copied = *row[1 - k];
    *row[k] = copied;
    row[k]->v *= 3;
    return row[0]->v * row[1]->v * row[k]->w;
}

static int bad;

static void expect(const char *what, double found, double expected)
{
    if (fabs(found - expected) <= 1e-6 * (1 + fabs(expected))) return;
    printf("%s: %.12g, expected %.12g\n", what, found, expected);
    bad = 1;
}

static void expect_kept(const struct record *shadow, int first)
{
    expect("the shadow's id", shadow->id, first);
    expect("the shadow's character", shadow->c, first + 1);
    expect("the shadow's count", (double)shadow->count, first + 2);
}

int main(void)
{
    struct record s[2] = {{1, 0.5, 'a', 0.25f, 7}, {2, 0.7, 'b', 0.75f, 8}};
    struct record d[2] = {{21, 0, 22, 0, 23}, {31, 0, 32, 0, 33}};
    __backsweep_gradient((void *)swap, bs_dup, s, d);
    expect("d[0].v", d[0].v, 1.4);
    expect("d[1].v", d[1].v, 1);
    expect("d[1].w", d[1].w, 1);
    expect("d[0].w", d[0].w, 0);
    expect_kept(&d[0], 21);
    expect_kept(&d[1], 31);

    struct record a = {1, 0.5, 'a', 0.25f, 7}, b = {2, 0.7, 'b', 0.75f, 8};
    struct record da = {21, 0, 22, 0, 23}, db = {31, 0, 32, 0, 33};
    struct record *row[2] = {&a, &b}, *drow[2] = {&da, &db};
    __backsweep_gradient((void *)rows, bs_dup, row, drow, bs_const, 0);
    expect("db.v", db.v, 2 * 3 * 0.7 * 0.75);
    expect("db.w", db.w, 3 * 0.7 * 0.7);
    expect("da.v", da.v, 0);
    expect_kept(&da, 21);
    expect_kept(&db, 31);
    return bad;
}
