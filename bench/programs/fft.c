/* A radix-2 Fourier transform in place, and a weighted energy of its spectrum. */
#include "../program.h"

#define BITS 12
#define N (1 << BITS)
#define TURN 6.283185307179586

static double cosines[N / 2], sines[N / 2], weights[N];

static void set_up(double *x)
{
    for (size_t i = 0; i < 2 * N; i++)
        x[i] = bench_number(i);
    for (int i = 0; i < N / 2; i++) {
        cosines[i] = cos(TURN * i / N);
        sines[i] = sin(TURN * i / N);
    }
    for (int i = 0; i < N; i++)
        weights[i] = 1.0 / (1 + i % 100);
}

static unsigned reverse_bits(unsigned i)
{
    unsigned result = 0;
    for (int b = 0; b < BITS; b++)
        result |= (i >> b & 1) << (BITS - 1 - b);
    return result;
}

/* Real parts, then imaginary parts; `sign` -1 forward, 1 backward. */
static void transform(const double *restrict x, double *restrict re, double *restrict im, double sign)
{
    for (unsigned i = 0; i < N; i++) {
        unsigned j = reverse_bits(i);
        re[j] = x[i];
        im[j] = x[N + i];
    }
    for (int half = 1; half < N; half *= 2)
        for (int start = 0; start < N; start += 2 * half)
            for (int k = 0; k < half; k++) {
                int turn = k * (N / 2 / half), a = start + k, b = a + half;
                double c = cosines[turn], s = sign * sines[turn];
                double tr = re[b] * c - im[b] * s, ti = re[b] * s + im[b] * c;
                re[b] = re[a] - tr;
                im[b] = im[a] - ti;
                re[a] += tr;
                im[a] += ti;
            }
}

static double primal(const double *restrict x, double *restrict work)
{
    double *re = work, *im = work + N, sum = 0;
    transform(x, re, im, -1);
    for (int i = 0; i < N; i++)
        sum += weights[i] * (re[i] * re[i] + im[i] * im[i]);
    return sum;
}

/* The transposed transform is the backward one. */
static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    double *re = work, *im = work + N;
    transform(x, re, im, -1);
    for (int i = 0; i < N; i++) {
        re[i] *= 2 * weights[i];
        im[i] *= 2 * weights[i];
    }
    transform(work, dwork, dwork + N, 1);
    for (int i = 0; i < 2 * N; i++)
        dx[i] += dwork[i];
    memset(dwork, 0, 2 * N * sizeof *dwork);
}

BENCH_PROGRAM(fft, 2 * N, 2 * N)
