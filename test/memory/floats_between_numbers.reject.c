/* Numbers and floats take turns in the user's memory. Every second word is counted with, at an index that is a multiple of two in one way
   or another, and records are moved without saying what is in them. Nobody touches the floats, so that nothing tells what they are. */
// RUN: %refused %t.o %clang -g -O0 -DINDEX='s[2*i]' -DMOVE='b[j] = a[i]' %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O2 -DINDEX='s[2*i]' -DMOVE='b[j] = a[i]' %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O1 -DINDEX='s[k]' -DMOVE='b[j] = a[i]' %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O1 -DINDEX='s[order[i]]' -DMOVE='b[j] = a[i]' %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O1 -DINDEX='*q' -DMOVE='b[j] = a[i]' %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O1 -fno-strict-aliasing -DINDEX='s[2*i]' -DMOVE='t[2*j] = s[2*i], t[2*j+1] = s[2*i+1]' %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O1 -fno-strict-aliasing -DINDEX='s[order[i]]' -DMOVE='t[2*j] = s[2*i], t[2*j+1] = s[2*i+1]' %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O1 -DINDEX='s[i<<1]' -DMOVE='memcpy(b+j, a+i, 8)' %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O1 -DINDEX='s[order[i]]' -DMOVE='memcpy(b+j, a+i, 8)' %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O1 -DINDEX='(i & 1) ? 0 : s[i]' -DMOVE='b[j] = a[i]' %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
#include <string.h>

#include "backsweep.h"

struct record {
    int id;
    float weight;
};

extern const int order[];

static void sort(const struct record *from, struct record *to, int n)
{
    const int *s = (const int *)from, *q = s;
    const unsigned long *a = (const unsigned long *)from;
    unsigned long *b = (unsigned long *)to;
    int *t = (int *)to, k = 0;
    for (int i = 0; i < n; i++) {
        int j = INDEX;
        // CHECK: floats_between_numbers.reject.c:[[@LINE+1]]:{{.*}}[BS02{{[03]}}]
        MOVE;
        k += 2;
        q += 2;
    }
    (void)s, (void)q, (void)t, (void)k;
}

void gradient(const struct record *from, struct record *dfrom, struct record *to, struct record *dto, int n)
{
    __backsweep_gradient_void((void *)sort, bs_dup, from, dfrom, bs_dup, to, dto, n);
}
