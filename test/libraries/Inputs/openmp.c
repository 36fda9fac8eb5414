/* As much of the OpenMP runtime as the tests call, for one thread, so that they run without one. It hands out loops piece by piece,
   unlike what derivatives are given, and says that the thread is the fourth of eight. */
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

typedef const void *place;
typedef void region(int *, int *, void *, void *, void *, void *, void *, void *, void *, void *);

void __kmpc_fork_call(place at, int count, region *run, ...)
{
    void *passed[8] = {0};
    int zero = 0;
    va_list arguments;
    va_start(arguments, run);
    for (int i = 0; i < count; i++) passed[i] = va_arg(arguments, void *);
    va_end(arguments);
    run(&zero, &zero, passed[0], passed[1], passed[2], passed[3], passed[4], passed[5], passed[6], passed[7]);
}

void __kmpc_for_static_init_4(place at, int thread, int schedule, int *last, int *lower, int *upper, int *stride, int step, int chunk)
{
    *last = 1;
    *stride = *upper - *lower + 1;
}
void __kmpc_for_static_init_4u(place at, int thread, int schedule, int *last, unsigned *lower, unsigned *upper, int *stride, int step, int chunk)
{
    *last = 1;
    *stride = (int)(*upper - *lower + 1);
}
void __kmpc_for_static_init_8(place at, int thread, int schedule, int *last, long *lower, long *upper, long *stride, long step, long chunk)
{
    *last = 1;
    *stride = *upper - *lower + 1;
}
void __kmpc_for_static_init_8u(place at, int thread, int schedule, int *last, unsigned long *lower, unsigned long *upper, long *stride, long step, long chunk)
{
    *last = 1;
    *stride = (long)(*upper - *lower + 1);
}

static int next, end, chunk;
void __kmpc_dispatch_init_4(place at, int thread, int schedule, int lower, int upper, int step, int size)
{
    next = lower;
    end = upper;
    chunk = size < 1 ? 1 : size;
}
int __kmpc_dispatch_next_4(place at, int thread, int *last, int *lower, int *upper, int *step)
{
    if (next > end) return 0;
    *lower = next;
    *upper = next + chunk - 1 < end ? next + chunk - 1 : end;
    *step = 1;
    next = *upper + 1;
    *last = next > end;
    return 1;
}
void __kmpc_dispatch_deinit(place at, int thread) {}
void __kmpc_for_static_fini(place at, int thread) {}
void __kmpc_barrier(place at, int thread) {}
int __kmpc_global_thread_num(place at) { return 0; }
void __kmpc_push_num_threads(place at, int thread, int count) {}
int __kmpc_single(place at, int thread) { return 1; }
void __kmpc_end_single(place at, int thread) {}
int __kmpc_masked(place at, int thread, int filter) { return 1; }
void __kmpc_end_masked(place at, int thread) {}
void __kmpc_critical(place at, int thread, place lock) {}
void __kmpc_end_critical(place at, int thread, place lock) {}
int __kmpc_reduce(place at, int thread, int count, size_t size, place data, place combine, place lock) { return 1; }
void __kmpc_end_reduce(place at, int thread, place lock) {}
int __kmpc_reduce_nowait(place at, int thread, int count, size_t size, place data, place combine, place lock) { return 1; }
void __kmpc_end_reduce_nowait(place at, int thread, place lock) {}
void __kmpc_serialized_parallel(place at, int thread) {}
void __kmpc_end_serialized_parallel(place at, int thread) {}
int omp_get_thread_num(void) { return 3; }
int omp_get_num_threads(void) { return 8; }

/* Tasks run where they are made; what they share stands behind them. */
typedef int task(int, void *);
struct made {
    void *shared;
    task *run;
    int part;
    void *data[2];
    long lower, upper, step;
    int is_last;
};

void *__kmpc_omp_task_alloc(place at, int thread, int flags, size_t size, size_t shared, task *run)
{
    size = (size + 15) & ~(size_t)15;
    struct made *made = calloc(1, size + shared);
    made->shared = (char *)made + size;
    made->run = run;
    return made;
}
int __kmpc_omp_task(place at, int thread, struct made *made)
{
    made->run(thread, made);
    free(made);
    return 0;
}
int __kmpc_omp_task_with_deps(place at, int thread, struct made *made, int n, void *deps, int m, void *others)
{
    return __kmpc_omp_task(at, thread, made);
}
void __kmpc_omp_task_begin_if0(place at, int thread, struct made *made) {}
void __kmpc_omp_task_complete_if0(place at, int thread, struct made *made) { free(made); }
int __kmpc_omp_taskwait(place at, int thread) { return 0; }
void __kmpc_taskgroup(place at, int thread) {}
void __kmpc_end_taskgroup(place at, int thread) {}
void __kmpc_taskloop(place at, int thread, struct made *made, int is_asked, void *lower, void *upper, long step, int alone, int schedule,
                     unsigned long grain, void *copy)
{
    made->is_last = 1;
    __kmpc_omp_task(at, thread, made);
}
