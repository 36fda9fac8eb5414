// What sits around numerical code: atomics of all orders, volatile, inline assembly, builtins of the compiler.
#include <stdatomic.h>
#include <stdio.h>

static _Atomic int calls;
static _Atomic double last;
static volatile double noise = 0.0;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void count_call(void) {
  while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
    ;
  atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
  int expected = 1000000;
  atomic_compare_exchange_strong_explicit(&calls, &expected, 0, memory_order_acq_rel, memory_order_acquire);
  atomic_fetch_or(&calls, 0);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_flag_clear_explicit(&busy, memory_order_release);
}

static double opaque_copy(double value) {
  __asm__ volatile("" : "+x"(value) : : "memory");
  return value;
}

static int is_even(int k) {
  __asm__ goto("test $1, %0; jnz %l1" : : "r"(k) : "cc" : odd);
  return 1;
odd:
  return 0;
}

double f(const double *x, int n) {
  count_call();
  double sum = noise;
  for (int i = 0; i < n; i++) {
    if (__builtin_expect(x[i] > 100.0, 0))
      __builtin_trap();
    __builtin_prefetch(&x[i + 1]);
    sum += x[i] * x[i] * (is_even(i) ? 1.0 : 2.0);
    last += sum;
  }
  __builtin_assume(n > 0);
  return opaque_copy(sum) + 0.0 * last;
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
