/* Air pollution: twenty species, twenty-five reactions (Verwer's POLLU, rates scaled); and its way in time. */
#include "../jacobian.h"

#define CELLS 128
#define STEPS 400

static void set_up(double *x)
{
    for (size_t i = 0; i < 20 * CELLS; i++)
        x[i] = 0.5 + 0.3 * bench_number(i);
}

static void element(const double *restrict y, double *restrict f)
{
    double r1 = 0.35 * y[0], r2 = 0.266 * y[1] * y[3], r3 = 1.23 * y[4] * y[1], r4 = 0.86 * y[6], r5 = 0.82 * y[6];
    double r6 = 1.5 * y[6] * y[5], r7 = 0.13 * y[8], r8 = 2.4 * y[8] * y[5], r9 = 1.65 * y[10] * y[1], r10 = 0.9 * y[10] * y[0];
    double r11 = 0.22 * y[12], r12 = 1.2 * y[9] * y[1], r13 = 1.88 * y[13], r14 = 1.63 * y[0] * y[5], r15 = 0.48 * y[2];
    double r16 = 0.35 * y[3], r17 = 0.0175 * y[3], r18 = 1.0 * y[15], r19 = 0.444 * y[15], r20 = 1.24 * y[16] * y[5];
    double r21 = 0.21 * y[18], r22 = 0.58 * y[18], r23 = 0.0474 * y[0] * y[3], r24 = 1.78 * y[18] * y[0], r25 = 0.312 * y[19];
    f[0] = -r1 - r10 - r14 - r23 - r24 + r2 + r3 + r9 + r11 + r12 + r22 + r25;
    f[1] = -r2 - r3 - r9 - r12 + r1 + r21;
    f[2] = -r15 + r1 + r17 + r19 + r22;
    f[3] = -r2 - r16 - r17 - r23 + r15;
    f[4] = -r3 + 2 * r4 + r6 + r7 + r13 + r20;
    f[5] = -r6 - r8 - r14 - r20 + r3 + 2 * r18;
    f[6] = -r4 - r5 - r6 + r13;
    f[7] = r4 + r5 + r6 + r7;
    f[8] = -r7 - r8;
    f[9] = -r12 + r7 + r9;
    f[10] = -r9 - r10 + r8 + r11;
    f[11] = r9;
    f[12] = -r11 + r10;
    f[13] = -r13 + r12;
    f[14] = r14;
    f[15] = -r18 - r19 + r16;
    f[16] = -r20;
    f[17] = r20;
    f[18] = -r21 - r22 - r24 + r23 + r25;
    f[19] = -r25 + r24;
}

/* work: the state, its rate, the state half a step on. */
static double number(const double *restrict x, double *restrict work)
{
    double *y = work, *rate = work + 20, *half = work + 40, sum = 0;
    for (int i = 0; i < 20; i++)
        y[i] = x[i];
    for (int t = 0; t < STEPS; t++) {
        element(y, rate);
        for (int i = 0; i < 20; i++)
            half[i] = y[i] + 0.0005 * rate[i];
        element(half, rate);
        for (int i = 0; i < 20; i++)
            y[i] += 0.001 * rate[i];
    }
    for (int i = 0; i < 20; i++)
        sum += y[i] * y[i];
    return sum;
}

JACOBIAN_KERNEL(reactions, CELLS, 20, 20, 60)
