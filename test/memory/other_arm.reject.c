/* Memory that holds integers or numbers, as a branch is told. What is counted with in one arm does not say what is copied in the
 * other: taken for integers the copies would have no derivative. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
#include <string.h>

#include "backsweep.h"

struct counts {
    long first, second;
};

/* As many as are known only when it runs. */
// CHECK-DAG: other_arm.reject.c:[[@LINE+7]]:{{.*}}copies active memory, and it cannot be told
static void column(void *to, const void *from, long n, int counted)
{
    if (counted)
        for (long i = 0; i < n; i++)
            ((long *)to)[i] = ((const long *)from)[i] + 1;
    else
        memcpy(to, from, n * 8);
}

/* All members of one struct. */
// CHECK-DAG: other_arm.reject.c:[[@LINE+8]]:{{.*}}copies active memory, and it cannot be told
static void cell(void *to, const void *from, int counted)
{
    const struct counts *before = from;
    struct counts *after = to;
    if (counted)
        *after = (struct counts){before->first + 1, before->second + 2};
    else
        memcpy(to, from, 16);
}

/* One word. */
// CHECK-DAG: other_arm.reject.c:[[@LINE+6]]:{{.*}}copies active memory, and it cannot be told
static void word(void *to, const void *from, int counted)
{
    if (counted)
        *(long *)to = *(const long *)from + 1;
    else
        memcpy(to, from, 8);
}

void gradients(void *to, void *dto, void *from, void *dfrom, long n, int counted)
{
    __backsweep_gradient_void((void *)column, to, dto, from, dfrom, n, counted);
    __backsweep_gradient_void((void *)cell, to, dto, from, dfrom, counted);
    __backsweep_gradient_void((void *)word, to, dto, from, dfrom, counted);
}
