/* bench [ROUNDS] [FILE.csv]: checks every program's derivatives, measures them, and prints one table.
 *
 * Primal, our gradient, the hand-written adjoint and ADOL-C, where it can, take turns; each figure is the median over the rounds of the processor's
 * time, and the spread is the distance of the quartiles over the median, of the worst of the three. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "backsweep_rt.h"
#include "program.h"

#define PROGRAMS(X)                                                                                                    \
    X(heat) X(heat_coefficient) X(burgers) X(shallow_water) X(wave_3d) X(jacobi) X(n_body) X(lorenz) X(adaptive_ode) X(fft)  \
    X(lu) X(lstm) X(gmm) X(bundle_adjustment) X(log_sum_exp) X(black_scholes) X(mesh_edges) X(spmv) X(table_interpolation)   \
    X(sum_of_squares) X(dot_products) X(forces) X(stencil) X(wave_step) X(matrix_vector) X(flw2d1col) X(sine_of_sums) X(monte_carlo) \
    X(ring) X(reaction_diffusion)
#define DECLARE(name) extern const struct bench_program bench_##name;
#define LIST(name) &bench_##name,
PROGRAMS(DECLARE)
static const struct bench_program *const programs[] = {PROGRAMS(LIST)};

/* The gradient by ADOL-C, where the library is there and the program compiles with its type: see `adolc.hpp`. */
#define DECLARE_ADOLC(name) extern void bench_adolc_##name(const double *x, double *dx) __attribute__((weak));
#define LIST_ADOLC(name) bench_adolc_##name,
PROGRAMS(DECLARE_ADOLC)
typedef void adolc_gradient(const double *x, double *dx);
static adolc_gradient *const adolc_gradients[] = {PROGRAMS(LIST_ADOLC)};

enum { PRIMAL, OURS, BY_HAND, ADOLC, KINDS };
#define MOST_ROUNDS 1000
/* Short programs are run several times between two looks at the clock. */
#define LEAST_SECONDS 2e-3

struct memory {
    double *x, *dx, *work, *dwork;
    /* None where ADOL-C is not there, or gives something else. */
    adolc_gradient *adolc;
};

static double *make_numbers(size_t count)
{
    double *numbers = calloc(count, sizeof *numbers);
    if (numbers == NULL) {
        perror("bench");
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

static void run(const struct bench_program *program, const struct memory *m, int kind)
{
    static volatile double kept;
    if (kind == PRIMAL) {
        kept = program->primal(m->x, m->work);
        return;
    }
    memset(m->dx, 0, program->inputs * sizeof *m->dx);
    if (kind == ADOLC) {
        m->adolc(m->x, m->dx);
        return;
    }
    (kind == OURS ? program->ours : program->by_hand)(m->x, m->dx, m->work, m->dwork);
    (void)kept;
}

/* The hand-written adjoint against central differences along some inputs; no code of it is shared with ours. */
static int check_by_hand(const struct bench_program *program, const struct memory *m)
{
    const size_t stride = program->inputs > 40 ? program->inputs / 40 : 1;
    run(program, m, BY_HAND);
    for (size_t i = 0; i < program->inputs; i += stride) {
        const double at = m->x[i], h = 1e-5 * fmax(1, fabs(at));
        double up, down, difference, size = fabs(program->primal(m->x, m->work));
        m->x[i] = at + h;
        up = program->primal(m->x, m->work);
        m->x[i] = at - h;
        down = program->primal(m->x, m->work);
        m->x[i] = at;
        difference = (up - down) / (2 * h);
        /* A difference of two large values has few digits left. */
        if (!(fabs(m->dx[i] - difference) <= 1e-5 * fabs(difference) + 1e-9 * size)) {
            printf("%s: the hand-written adjoint of input %zu is %.12g, by differences %.12g\n", program->name, i, m->dx[i],
                   difference);
            return 0;
        }
    }
    return 1;
}

static int check_ours(const struct bench_program *program, const struct memory *m)
{
    double largest = 0, *expected = make_numbers(program->inputs);
    int good = 1;
    run(program, m, BY_HAND);
    memcpy(expected, m->dx, program->inputs * sizeof *expected);
    run(program, m, OURS);
    for (size_t i = 0; i < program->inputs; i++)
        largest = fmax(largest, fabs(expected[i]));
    for (size_t i = 0; i < program->inputs && good; i++)
        if (!(fabs(m->dx[i] - expected[i]) <= 1e-9 * largest)) {
            printf("%s: our derivative of input %zu is %.17g, by hand %.17g\n", program->name, i, m->dx[i], expected[i]);
            good = 0;
        }
    for (size_t i = 0; i < program->work && good; i++)
        if (m->dwork[i] != 0) {
            printf("%s: our gradient leaves %g in the shadow of overwritten memory\n", program->name, m->dwork[i]);
            good = 0;
        }
    free(expected);
    return good;
}

/* Copies by `memcpy` go past its type, so ADOL-C is measured only where it is right. */
static int agrees_with_adolc(const struct bench_program *program, const struct memory *m)
{
    double largest = 0, worst = 0, *expected = make_numbers(program->inputs);
    run(program, m, BY_HAND);
    memcpy(expected, m->dx, program->inputs * sizeof *expected);
    run(program, m, ADOLC);
    for (size_t i = 0; i < program->inputs; i++) {
        largest = fmax(largest, fabs(expected[i]));
        worst = fmax(worst, fabs(m->dx[i] - expected[i]));
    }
    free(expected);
    return worst <= 1e-9 * largest;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct figure {
    double median, spread;
};

static struct figure summarise(double *seconds, int rounds)
{
    struct figure figure;
    qsort(seconds, (size_t)rounds, sizeof *seconds, compare);
    figure.median = seconds[rounds / 2];
    figure.spread = (seconds[rounds * 3 / 4] - seconds[rounds / 4]) / figure.median;
    return figure;
}

static void measure(const struct bench_program *program, const struct memory *m, int rounds, struct figure *figures)
{
    static double seconds[KINDS][MOST_ROUNDS];
    int repeats[KINDS];
    const int kinds = m->adolc ? KINDS : ADOLC;
    for (int kind = 0; kind < kinds; kind++) {
        const double start = now();
        run(program, m, kind);
        repeats[kind] = 1 + (int)(LEAST_SECONDS / fmax(now() - start, 1e-9));
    }
    for (int round = 0; round < rounds; round++)
        for (int kind = 0; kind < kinds; kind++) {
            const double start = now();
            for (int repeat = 0; repeat < repeats[kind]; repeat++)
                run(program, m, kind);
            seconds[kind][round] = (now() - start) / repeats[kind];
        }
    for (int kind = 0; kind < kinds; kind++)
        figures[kind] = summarise(seconds[kind], rounds);
}

/* What one gradient puts on the tape, measured while nothing else is on it. */
static size_t tape_bytes(const struct bench_program *program, const struct memory *m)
{
    struct bs_tape_stats before, after;
    bs_tape_stats(NULL, &before);
    run(program, m, OURS);
    bs_tape_stats(NULL, &after);
    return after.total - before.total;
}

static int bench(const struct bench_program *program, adolc_gradient *adolc, int rounds, FILE *csv, double *logarithm)
{
    struct memory m = {make_numbers(program->inputs), make_numbers(program->inputs), make_numbers(program->work),
                       make_numbers(program->work), adolc};
    char adolc_ratio[32] = "-", adolc_seconds[32] = "";
    struct figure f[KINDS];
    size_t tape;
    int good;
    program->set_up(m.x);
    good = check_by_hand(program, &m) && check_ours(program, &m);
    if (good) {
        tape = tape_bytes(program, &m);
        if (adolc && !agrees_with_adolc(program, &m))
            m.adolc = NULL;
        measure(program, &m, rounds, f);
        const double ratio = f[OURS].median / f[PRIMAL].median, hand = f[BY_HAND].median / f[PRIMAL].median;
        if (m.adolc) {
            snprintf(adolc_ratio, sizeof adolc_ratio, "%.1f", f[ADOLC].median / f[PRIMAL].median);
            snprintf(adolc_seconds, sizeof adolc_seconds, "%.9g", f[ADOLC].median);
        }
        /* One-sided: the primal once for every input, and once more. */
        const size_t runs_of_differences = program->inputs + 1;
        *logarithm += log(ratio / hand);
        printf("%-20s %8zu %10.1f %10.1f %8.2f %8.2f %8.2f %8s %8zu %12zu %7.1f %%\n", program->name, program->inputs,
               1e6 * f[PRIMAL].median, 1e6 * f[OURS].median, ratio, hand, ratio / hand, adolc_ratio, runs_of_differences, tape,
               100 * fmax(f[OURS].spread, fmax(f[PRIMAL].spread, f[BY_HAND].spread)));
        if (csv)
            fprintf(csv, "%s,%zu,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%s,%zu,%.3g,%.3g,%.3g\n", program->name, program->inputs,
                    f[PRIMAL].median, f[OURS].median, f[BY_HAND].median, ratio, hand, ratio / hand,
                    (double)runs_of_differences * f[PRIMAL].median, adolc_seconds, tape, f[PRIMAL].spread, f[OURS].spread,
                    f[BY_HAND].spread);
    }
    fflush(stdout);
    free(m.x);
    free(m.dx);
    free(m.work);
    free(m.dwork);
    return good;
}

int main(int count, char **arguments)
{
    const size_t program_count = sizeof programs / sizeof *programs;
    int rounds = count > 1 ? atoi(arguments[1]) : 15, wrong = 0;
    FILE *csv = count > 2 ? fopen(arguments[2], "w") : NULL;
    double logarithm = 0;
    if (rounds < 1 || rounds > MOST_ROUNDS || (count > 2 && csv == NULL)) {
        fprintf(stderr, "bench [ROUNDS] [FILE.csv], with 1 to %d rounds and a file that can be written\n", MOST_ROUNDS);
        return 2;
    }
    printf("%-20s %8s %10s %10s %8s %8s %8s %8s %8s %12s %9s\n", "", "inputs", "primal µs", "gradient", "ratio", "by hand",
           "ours/h.", "ADOL-C", "differ.", "tape bytes", "spread");
    if (csv)
        fprintf(csv, "program,inputs,primal_seconds,gradient_seconds,by_hand_seconds,ratio,by_hand_ratio,ours_by_hand,"
                     "differences_seconds,adolc_seconds,tape_bytes,primal_spread,gradient_spread,by_hand_spread\n");
    for (size_t p = 0; p < program_count; p++)
        wrong += !bench(programs[p], adolc_gradients[p], rounds, csv, &logarithm);
    if (wrong < (int)program_count)
        printf("geometric mean of ours over by hand: %.2f\n", exp(logarithm / (double)((int)program_count - wrong)));
    if (csv)
        fclose(csv);
    return wrong != 0;
}
