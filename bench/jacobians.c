/* jacobians [ROUNDS] [FILE.csv]: checks the derivatives of every kernel against central differences, with local Jacobians and
 * without, measures both in turns, and prints one table: time of Jacobians by tangents, time of gradients, bytes on the tape at a time. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backsweep_rt.h"
#include "jacobian.h"

#define KERNELS(X) X(roe) X(channel) X(cavity) X(reactions) X(projection) X(lstm_cell) X(greeks) X(friction)
#define DECLARE(name) extern const struct jacobian_kernel name##_with, name##_without;
#define LIST(name) {&name##_with, &name##_without},
KERNELS(DECLARE)
static const struct jacobian_kernel *const kernels[][2] = {KERNELS(LIST)};

#define MOST_ROUNDS 1000
/* Short programs are run several times between two looks at the clock. */
#define LEAST_SECONDS 2e-3

struct memory {
    double *x, *seeds, *y, *dy, *dx, *work, *dwork;
};

static double *make_numbers(size_t count)
{
    double *numbers = calloc(count + 1, sizeof *numbers);
    if (numbers == NULL) {
        perror("jacobians");
        exit(1);
    }
    return numbers;
}

/* Of the processor for this process: what others do at the same time counts less than on a clock on the wall. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static size_t inputs(const struct jacobian_kernel *kernel) { return kernel->elements * kernel->in; }

static size_t outputs(const struct jacobian_kernel *kernel) { return kernel->elements * kernel->out; }

static void run_tangents(const struct jacobian_kernel *kernel, const struct memory *m)
{
    kernel->tangents(m->x, m->seeds, m->y, m->dy);
}

static void run_gradient(const struct jacobian_kernel *kernel, const struct memory *m)
{
    memset(m->dx, 0, inputs(kernel) * sizeof *m->dx);
    kernel->gradient(m->x, m->dx, m->work, m->dwork);
}

static double step(double x) { return 1e-6 * fmax(1, fabs(x)); }

/* One direction after the other, the same number of every element at once. */
static int check_tangents(const struct jacobian_kernel *kernel, const struct memory *m)
{
    double *up = make_numbers(outputs(kernel)), *down = make_numbers(outputs(kernel)), *x = make_numbers(inputs(kernel));
    int good = 1;
    memset(m->dy, 0, kernel->in * outputs(kernel) * sizeof *m->dy);
    run_tangents(kernel, m);
    for (size_t d = 0; d < kernel->in && good; d++) {
        const double *dy = m->dy + d * outputs(kernel);
        for (int side = -1; side <= 1; side += 2) {
            memcpy(x, m->x, inputs(kernel) * sizeof *x);
            for (size_t i = d; i < inputs(kernel); i += kernel->in)
                x[i] += side * step(m->x[i]);
            kernel->batch(x, side < 0 ? down : up);
        }
        for (size_t o = 0; o < outputs(kernel) && good; o++) {
            const double at = m->x[o / kernel->out * kernel->in + d], difference = (up[o] - down[o]) / (2 * step(at));
            const double size = fabs(up[o]) + fabs(difference);
            good = fabs(dy[o] - difference) <= 1e-6 * size + 1e-8;
            if (!good)
                printf("%s: tangent %zu of output %zu is %.12g, by differences %.12g\n", kernel->name, d, o, dy[o], difference);
        }
    }
    free(up);
    free(down);
    free(x);
    return good;
}

static int check_gradient(const struct jacobian_kernel *kernel, const struct memory *m)
{
    const size_t stride = inputs(kernel) > 40 ? inputs(kernel) / 40 : 1;
    double size = fabs(kernel->number(m->x, m->work));
    run_gradient(kernel, m);
    for (size_t i = 0; i < inputs(kernel); i += stride) {
        const double at = m->x[i], h = step(at);
        m->x[i] = at + h;
        double up = kernel->number(m->x, m->work);
        m->x[i] = at - h;
        double down = kernel->number(m->x, m->work), difference = (up - down) / (2 * h);
        m->x[i] = at;
        if (!(fabs(m->dx[i] - difference) <= 1e-5 * fabs(difference) + 1e-8 * size)) {
            printf("%s: gradient of input %zu is %.12g, by differences %.12g\n", kernel->name, i, m->dx[i], difference);
            return 0;
        }
    }
    return 1;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef void action(const struct jacobian_kernel *, const struct memory *);

/* The medians of both variants, which take turns. */
static void measure(const struct jacobian_kernel *const *variants, const struct memory *m, action *run, int rounds, double *medians)
{
    static double seconds[2][MOST_ROUNDS];
    double start = now();
    run(variants[0], m);
    const int repeats = 1 + (int)(LEAST_SECONDS / fmax(now() - start, 1e-9));
    for (int round = 0; round < rounds; round++)
        for (int which = 0; which < 2; which++) {
            start = now();
            for (int repeat = 0; repeat < repeats; repeat++)
                run(variants[which], m);
            seconds[which][round] = (now() - start) / repeats;
        }
    for (int which = 0; which < 2; which++) {
        qsort(seconds[which], (size_t)rounds, sizeof *seconds[which], compare);
        medians[which] = seconds[which][rounds / 2];
    }
}

struct measured {
    const struct jacobian_kernel *kernel;
    const struct memory *memory;
    size_t bytes;
};

static void *run_once(void *argument)
{
    struct measured *measured = argument;
    struct bs_tape_stats stats;
    run_gradient(measured->kernel, measured->memory);
    bs_tape_stats(bs_tape_of_thread(), &stats);
    measured->bytes = stats.peak;
    return NULL;
}

/* What one gradient has on the tape at most: that of a thread which has used it for nothing else. */
static size_t tape_bytes(const struct jacobian_kernel *kernel, const struct memory *m)
{
    struct measured measured = {kernel, m, 0};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_once, &measured) != 0 || pthread_join(thread, NULL) != 0) {
        perror("jacobians");
        exit(1);
    }
    return measured.bytes;
}

/* Sums of logarithms. */
struct sums {
    double tangents, gradients, bytes, best;
};

static int bench(const struct jacobian_kernel *const *variants, int rounds, FILE *csv, struct sums *sums)
{
    const struct jacobian_kernel *kernel = variants[0];
    struct memory m = {make_numbers(inputs(kernel)),
                       make_numbers(kernel->in * inputs(kernel)),
                       make_numbers(outputs(kernel)),
                       make_numbers(kernel->in * outputs(kernel)),
                       make_numbers(inputs(kernel)),
                       make_numbers(kernel->work),
                       make_numbers(kernel->work)};
    double tangents[2], gradients[2];
    size_t bytes[2];
    int good = 1;
    kernel->set_up(m.x);
    for (size_t d = 0; d < kernel->in; d++)
        for (size_t i = d; i < inputs(kernel); i += kernel->in)
            m.seeds[d * inputs(kernel) + i] = 1;
    for (int which = 0; which < 2; which++)
        good = good && check_tangents(variants[which], &m) && check_gradient(variants[which], &m);
    if (good) {
        for (int which = 0; which < 2; which++)
            bytes[which] = tape_bytes(variants[which], &m);
        measure(variants, &m, run_tangents, rounds, tangents);
        measure(variants, &m, run_gradient, rounds, gradients);
        const double t = tangents[1] / tangents[0], g = gradients[1] / gradients[0];
        const double b = (double)(bytes[1] + 1) / (double)(bytes[0] + 1);
        sums->tangents += log(t);
        sums->gradients += log(g);
        sums->bytes += log(b);
        sums->best += log(fmax(fmax(t, g), b));
        printf("%-12s %3zu by %-3zu %10.1f %10.1f %7.2f %10.1f %10.1f %7.2f %10zu %10zu %7.2f\n", kernel->name, kernel->out,
               kernel->in, 1e6 * tangents[1], 1e6 * tangents[0], t, 1e6 * gradients[1], 1e6 * gradients[0], g, bytes[1],
               bytes[0], b);
        if (csv)
            fprintf(csv, "%s,%.9g,%.9g,%.9g,%.9g,%zu,%zu\n", kernel->name, tangents[1], tangents[0], gradients[1], gradients[0],
                    bytes[1], bytes[0]);
    }
    fflush(stdout);
    double *const all[] = {m.x, m.seeds, m.y, m.dy, m.dx, m.work, m.dwork};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return good;
}

int main(int count, char **arguments)
{
    const int kernel_count = sizeof kernels / sizeof *kernels;
    int rounds = count > 1 ? atoi(arguments[1]) : 15, right = 0;
    FILE *csv = count > 2 ? fopen(arguments[2], "w") : NULL;
    struct sums sums = {0};
    if (rounds < 1 || rounds > MOST_ROUNDS || (count > 2 && csv == NULL)) {
        fprintf(stderr, "jacobians [ROUNDS] [FILE.csv], with 1 to %d rounds and a file that can be written\n", MOST_ROUNDS);
        return 2;
    }
    printf("%-12s %-10s %29s %29s %29s\n", "", "", "Jacobian µs: without, with", "gradient µs: without, with",
           "tape bytes: without, with");
    if (csv)
        fprintf(csv, "kernel,jacobian_without,jacobian_with,gradient_without,gradient_with,tape_without,tape_with\n");
    for (int k = 0; k < kernel_count; k++)
        right += bench(kernels[k], rounds, csv, &sums);
    if (right > 0)
        printf("geometric means of without over with: Jacobian %.2f, gradient %.2f, tape %.2f, the best of each kernel's three %.2f\n",
               exp(sums.tangents / right), exp(sums.gradients / right), exp(sums.bytes / right), exp(sums.best / right));
    if (csv)
        fclose(csv);
    return right != kernel_count;
}
