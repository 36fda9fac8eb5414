/* What the dependence test says of loops as clang leaves them; the first functions are the paper's examples. */
// RUN: %clang -O1 -g -fno-vectorize -fno-unroll-loops -S -emit-llvm %s -o %t.O1.ll
// RUN: %clang -O2 -g -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -S -emit-llvm %s -o %t.O2.ll
// RUN: %opt -passes='print<backsweep-dependence>' -disable-output %t.O1.ll 2>&1 | FileCheck %s
// RUN: %opt -passes='print<backsweep-dependence>' -disable-output %t.O2.ll 2>&1 | FileCheck %s
// RUN: %opt -passes='print<backsweep-dependence-dot>' -disable-output %t.O1.ll 2>&1 | FileCheck --check-prefix=DOT %s

// clang-format off
// The paper assumes N >= 1. In LLVM's terms N of 2^61 leads back to where N of 0 does, hence the range.
// CHECK-LABEL: function @first_example
// CHECK-NEXT: nest first_example.0 at {{.*}}:[[@LINE+5]]:3
// CHECK-NEXT: :[[@LINE+5]]:16 load {{%[0-9]+}} -> {{.*}}:[[@LINE+5]]:14 store {{%[0-9]+}}: anti [<=] and backward flow [<] by Banerjee; breaks if N >= L or N + L < 1 (for |N|, |L| <= 1152921504606846976){{$}}
// CHECK: loop first_example.0 at {{.*}}: carried by anti {{.*}}, flow
// DOT: f0_0 [label="{{.*}}:[[@LINE+3]]:16 load
void first_example(double *a, double b, long L, long N) {
  for (long i = 1; i <= L; i++)
    a[i + N] = a[i] + b;
}
// DOT: f0_0 -> f0_1 [label="anti [<=]"];
// DOT-NEXT: f0_1 -> f0_0 [label="flow [<]"];

// CHECK-LABEL: function @second_example
// CHECK: load {{.*}} store {{%[0-9]+}}: anti [<=] and backward flow [<] by weak-zero SIV; breaks if L < 1 or L > N; split level 1 at iteration L - 1, clamped
void second_example(double *a, double B, long L, long N) {
  for (long i = 1; i <= N; i++)
    a[i] = a[L] + B;
}

// CHECK-LABEL: function @separable
// CHECK: load {{.*}} store {{%[0-9]+}}: independent by Omega
// CHECK: loop separable.0 at {{.*}}: parallel
// CHECK-NEXT: loop separable.1 at {{.*}}: parallel
// CHECK-NEXT: loop separable.2 at {{.*}}: parallel
void separable(double (*a)[50][50], double B) {
  for (long i = 1; i <= 40; i++)
    for (long j = 1; j <= 20; j++)
      for (long k = 1; k <= 20; k++)
        a[i + 1][j + k][j] = a[i][k][k] + B;
}

// CHECK-LABEL: function @delta
// CHECK: load {{.*}} store {{%[0-9]+}}: backward flow [1 0] by
// CHECK: loop delta.0 at {{.*}}: carried by flow
// CHECK-NEXT: loop delta.1 at {{.*}}: parallel
void delta(double (*a)[100], double B) {
  for (long i = 1; i <= 40; i++)
    for (long j = 1; j <= 40; j++)
      a[i + 1][i + j] = a[i][i + j - 1] + B;
}

// The sum of two positive numbers is positive.
// CHECK-LABEL: function @positive
// CHECK: load {{.*}} store {{%[0-9]+}}: independent by
void positive(double *a, long n, int x, int y) {
  if (x > 0 && y > 0)
    for (long i = 0; i < n; i++) a[i + x + y] = a[-i];
}

// CHECK-LABEL: function @symbolic_extents
// CHECK: load {{.*}} store {{%[0-9]+}}: backward flow [1 1] by strong SIV; breaks if n < 3 or m < 3
// CHECK: loop symbolic_extents.1 at {{.*}}: parallel
void symbolic_extents(long n, long m, double a[n][m]) {
  for (long i = 1; i < n; i++)
    for (long j = 1; j < m; j++)
      a[i][j] = a[i - 1][j - 1];
}

// CHECK-LABEL: function @flattened
// CHECK: load {{.*}} store {{%[0-9]+}}: backward flow [1 0] by strong SIV; breaks if n < 3
// CHECK: loop flattened.1 at {{.*}}: parallel
void flattened(int n, int m, double *a) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] = a[(i - 1) * m + j];
}

// Rows of ten, but j goes up to eleven: no two subscripts, though it looks like them.
// CHECK-LABEL: function @leaves_its_row
// CHECK: store {{.*}} store {{%[0-9]+}}: output [< >] by
// CHECK: loop leaves_its_row.0 at {{.*}}: carried by output
// CHECK-NEXT: loop leaves_its_row.1 at {{.*}}: parallel
void leaves_its_row(double *a) {
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 12; j++)
      a[10 * i + j] = i;
}

// CHECK-LABEL: function @advancing
// CHECK: load {{.*}} store {{%[0-9]+}}: independent by GCD
// CHECK: loop advancing.0 at {{.*}}: parallel
void advancing(double *a, long n) {
  for (long i = 0; i < n; i++) {
    a[1] = a[0];
    a += 2;
  }
}

// CHECK-LABEL: function @down
// CHECK: load {{.*}} store {{%[0-9]+}}: backward flow [1] by strong SIV; breaks if n <
void down(double *a, long n) {
  for (long i = n; i >= 0; i -= 3) a[i] = a[i + 3];
}

// CHECK-LABEL: function @triangle
// CHECK: load {{.*}} store {{%[0-9]+}}: independent by
// CHECK: loop triangle.0 at {{.*}}: parallel
void triangle(double (*a)[64]) {
  for (long i = 0; i < 64; i++)
    for (long j = 0; j < i; j++) a[i][j] = a[j][i];
}

// CHECK-LABEL: function @trapezium
// CHECK: load {{.*}} store {{%[0-9]+}}: independent by Omega
void trapezium(double (*a)[200], int n) {
  for (int i = 0; i < n && i < 50; i++)
    for (int j = i; j < 2 * i + 3; j++) a[i][j] = a[i][j + 150];
}

// Each iteration decides whether there is a next one, though no two touch the same memory.
// CHECK-LABEL: function @no_bound
// CHECK: store {{.*}} load {{%[0-9]+}}: independent by different objects
// CHECK: loop no_bound.0 at {{.*}}: carried by the decision whether there is a next iteration
void no_bound(double *restrict a, double *restrict b) {
  for (long i = 0; a[i] != 0; i++) b[i] = 1;
}

// CHECK-LABEL: function @own_bound
// CHECK: store {{.*}} store {{%[0-9]+}}: independent by strong SIV
// CHECK: store {{.*}} load {{%[0-9]+}}: flow [1] by strong SIV
// CHECK: loop own_bound.0 at {{.*}}: carried by flow {{.*}}, the decision whether there is a next iteration
void own_bound(double *a) {
  for (long i = 0; a[i] != 0; i++) a[i + 2] = 1;
}

// CHECK-LABEL: function @sizes
// CHECK: store {{.*}} store {{%[0-9]+}}: output [0] by strong SIV
// CHECK: loop sizes.0 at {{.*}}: parallel
void sizes(char *c, long n) {
  for (long i = 0; i < n; i++) {
    *(int *)(c + 8 * i) = 1;
    *(short *)(c + 8 * i + 3) = 3;
  }
}

// CHECK-LABEL: function @crossing
// CHECK: load {{.*}} store {{%[0-9]+}}: anti [<=] and backward flow [<] by weak-crossing SIV; split level 1 after iteration (n - 1)/2, clamped
void crossing(double *a, long n) {
  for (long i = 0; i < n; i++) a[i] = a[n - i - 1];
}

// CHECK-LABEL: function @inequalities
// CHECK: load {{.*}} store {{%[0-9]+}}: independent by Banerjee
void inequalities(double *a) {
  for (long i = 0; i < 10; i++)
    for (long j = 0; j < 10; j++) a[i + j] = a[i - j + 30];
}

// What a guard says is used, in the loop and around it.
// CHECK-LABEL: function @guarded
// CHECK: load {{.*}} store {{%[0-9]+}}: independent by Omega
// CHECK: loop guarded.0 at {{.*}}: parallel
void guarded(double *a, long n, long k) {
  for (long i = 0; i < n; i++)
    if (i < k) a[i] = a[k];
}

// CHECK-LABEL: function @guarded_outside
// CHECK: load {{.*}} store {{%[0-9]+}}: {{.*}}; breaks if |k|, |n| <= 1152921504606846976
void guarded_outside(double *a, long n, long k) {
  if (k >= n)
    for (long i = 0; i < n; i++) a[i + k] = a[i];
}

// CHECK-LABEL: function @two_pointers
// CHECK: store {{.*}} store {{%[0-9]+}}: unknown output [<=] and backward output [<]: a and b may overlap; breaks if b >= a + 8*n or b + 8*n <= a
void two_pointers(double *a, double *b, long n) {
  for (long i = 0; i < n; i++) {
    a[i] = 1;
    b[i] = 2;
  }
}

// CHECK-LABEL: function @indirect
// CHECK: store {{.*}} store {{%[0-9]+}}: unknown output [<]: subscript loaded from b; an inspector could check that its values differ
// CHECK: loop indirect.0 at {{.*}}: carried by unknown
void indirect(double *restrict a, int *restrict b, long n) {
  for (long i = 0; i < n; i++) a[b[i]] = a[b[i]] + 1;
}

static const int table[4] = {2, 0, 3, 1};
// CHECK-LABEL: function @constants
// CHECK: load {{.*}} store {{%[0-9]+}}: independent by different objects
void constants(double *a, int n) {
  for (int i = 0; i < n; i++) a[table[i & 3]] = i;
}

// CHECK-LABEL: function @ordered
// CHECK: loop ordered.0 at {{.*}}: carried by the ordered access
void ordered(volatile double *a, long n) {
  for (long i = 0; i < n; i++) a[i] = 1;
}

// CHECK-LABEL: function @sum
// CHECK: loop sum.0 at {{.*}}: carried by the value {{%[0-9]+}} of the iteration before
double sum(double *a, long n) {
  double s = 0;
  for (long i = 0; i < n; i++) s += a[i];
  return s;
}

// CHECK-LABEL: function @ahead
// CHECK: load {{.*}} store {{%[0-9]+}}: anti [4] by strong SIV; breaks if n < 5
// CHECK: loop ahead.0 at {{.*}}: vectorisable, carried by anti
void ahead(double *a, long n) {
  for (long i = 0; i < n; i++) a[i] = a[i + 4] * 2;
}

// CHECK-LABEL: function @behind
// CHECK: load {{.*}} store {{%[0-9]+}}: backward flow [4] by strong SIV; breaks if n < 5
// CHECK: loop behind.0 at {{.*}}: vectorisable up to 4, carried by flow
void behind(double *a, long n) {
  for (long i = 0; i < n; i++) a[i + 4] = a[i] * 2;
}
