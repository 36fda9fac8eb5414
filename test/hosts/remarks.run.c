/* What the plan means for loops and lines, as remarks: on the terminal where they are asked for, in the optimisation record,
   and nowhere without. */
// RUN: %clang -O2 -g %pass -c %s -o %t.o 2>&1 | count 0
// RUN: %clang -O2 -g %pass -Rpass=backsweep -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PASSED
// RUN: %clang -O2 %pass -Rpass-missed=backsweep -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: %clang -O2 -g %pass -Rpass-analysis=backsweep -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ANALYSIS
// RUN: %clang -O2 -g %pass -fsave-optimization-record -foptimization-record-file=%t.yaml -c %s -o %t.o 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=RECORD < %t.yaml
// RUN: %clang -O2 -g %pass -Rpass=backsweep -Rpass-missed=backsweep %s -o %t %runtime 2>/dev/null && %t
#include <math.h>
void __backsweep_gradient_void(void *, ...);
static double march(double *u, int n)
{
    double sum = 0;
    // MISSED: remarks.run.c:[[#@LINE+4]]:5: remark: gradient: each iteration records up to 8 bytes in one array; its passes are counted [-Rpass-missed=backsweep]
    // MISSED: remarks.run.c:[[#@LINE+4]]:16: remark: gradient: what is read from parameter 1 is overwritten later, by line [[#@LINE+4]], in the same iteration; write the results to another array
    // ANALYSIS: remarks.run.c:[[#@LINE+2]]:5: remark: gradient: the reverse of an iteration reads `u[i - 1]`, {{.*}}another iteration has left in `u`
    // RECORD: --- !Missed{{[[:space:]]}}Pass: {{ *}}backsweep{{[[:space:]]}}Name: {{ *}}LoopRecords{{[[:space:]]}}DebugLoc: {{.*}}Line: [[#@LINE+1]], Column: 5 }{{[[:space:]]}}Function: {{ *}}march
    for (int i = 1; i < n; i++)
        u[i] = u[i] * u[i - 1];
    // PASSED-NOT: remark
    // PASSED: remarks.run.c:[[#@LINE+3]]:5: remark: gradient: the loop is reversed and records nothing; its passes are counted; it is left out of the forward sweep; it is reversed in its own order [-Rpass=backsweep]
    // PASSED-NOT: remark
    // RECORD: --- !Passed{{[[:space:]]}}Pass: {{ *}}backsweep{{[[:space:]]}}Name: {{ *}}LoopReversed{{[[:space:]]}}DebugLoc: {{.*}}Line: [[#@LINE+1]], Column: 5 }
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i];
    return sum;
}
int main(void)
{
    double u[2] = {2, 3}, du[2] = {0, 0};
    __backsweep_gradient_void((void *)march, u, du, 2);
    /* u0 u0 + u0 u0 u1 u1 */
    return !(fabs(du[0] - (2 * 2 + 2 * 2 * 9)) < 1e-12 && fabs(du[1] - 2 * 4 * 3) < 1e-12);
}
