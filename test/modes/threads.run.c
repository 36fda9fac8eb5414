/* Derived code in threads that come and go: every thread has its own stack, split-mode tapes are live together, are
 * consumed in any order and by other threads, or given back without; a forked child goes on alone. */
// RUN: %clang -O0 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O3 %include %pass %s -o %t -L%release -lbacksweep_rt -Wl,-rpath,%release -lm -lpthread && %t
// RUN: env BACKSWEEP_TAPE_CHECK=1 %t
// RUN: env BACKSWEEP_TAPE_RESERVE=0 %t
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backsweep.h"
#include "backsweep_rt.h"

enum { N = 500, THREADS = 6, WAVES = 3, TAPES = 12 };

static int failures;

static void expect(int right, const char *what) {
    if (!right) {
        printf("wrong: %s\n", what);
        __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
    }
}

/* The product of sines, with a way out that nobody foresees: a record for each turn. */
static double product(const double *x, int n) {
    double p = 1;
    for (int i = 0; i < n && p < 1e100; i++) p = p * (1 + 1e-3 * sin(x[i]));
    return p;
}

struct sweep {
    double x[N], dx[N];
    void *tape;
};

static void fill(struct sweep *sweep, int seed) {
    for (int i = 0; i < N; i++) {
        sweep->x[i] = 0.1 * seed + 0.01 * i;
        sweep->dx[i] = 0;
    }
}

/* Against the derivative as a formula. */
static void check(const struct sweep *sweep, const char *what) {
    double p = product(sweep->x, N), worst = 0;
    for (int i = 0; i < N; i++) {
        double right = p * 1e-3 * cos(sweep->x[i]) / (1 + 1e-3 * sin(sweep->x[i]));
        worst = fmax(worst, fabs(sweep->dx[i] - right));
    }
    expect(worst <= 1e-15, what);
}

static void forward(struct sweep *sweep) {
    sweep->tape = __backsweep_augmented((void *)product, bs_dup, sweep->x, sweep->dx, N);
}

static void reverse(struct sweep *sweep) {
    __backsweep_reverse_void((void *)product, bs_dup, sweep->x, sweep->dx, N, 1.0, sweep->tape);
}

static void *forward_there(void *sweep) {
    forward(sweep);
    return 0;
}

/* Takes a gradient of its own, and consumes the tape of a thread that is gone. */
static void *reverse_there(void *handed) {
    struct sweep own;
    fill(&own, 3);
    __backsweep_gradient_void((void *)product, bs_dup, own.x, own.dx, N);
    check(&own, "a gradient in a thread");
    reverse(handed);
    return 0;
}

static void run_all(void *(*job)(void *), struct sweep *sweeps) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, job, &sweeps[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
}

static void hand_over(void) {
    static struct sweep sweeps[THREADS];
    for (int i = 0; i < THREADS; i++) fill(&sweeps[i], i);
    run_all(forward_there, sweeps);
    run_all(reverse_there, sweeps);
    for (int i = 0; i < THREADS; i++) check(&sweeps[i], "a tape consumed by another thread");
}

static void any_order(void) {
    static struct sweep sweeps[TAPES];
    for (int i = 0; i < TAPES; i++) {
        fill(&sweeps[i], i);
        forward(&sweeps[i]);
    }
    for (int k = 0; k < TAPES; k++) {
        int i = k * 5 % TAPES;
        if (i % 3 == 0) {
            bs_rt_tape_free(sweeps[i].tape);
        } else {
            reverse(&sweeps[i]);
            check(&sweeps[i], "tapes in any order");
        }
    }
}

/* The child sweeps back over its copy, and the parent over its own. */
static void fork_between(void) {
    static struct sweep sweep;
    int status = 1;
    fill(&sweep, 1);
    forward(&sweep);
    fflush(stdout);
    pid_t child = fork();
    reverse(&sweep);
    check(&sweep, "a sweep that a fork divides");
    if (child == 0) _exit(failures != 0);
    expect(waitpid(child, &status, 0) == child && status == 0, "the child's sweep");
}

int main(void) {
    struct bs_tape_stats stats;
    for (int wave = 0; wave < WAVES; wave++) hand_over();
    any_order();
    fork_between();
    bs_tape_stats(0, &stats);
    expect(stats.current == 0 && stats.total > 0, "nothing is left");
    return failures != 0;
}
