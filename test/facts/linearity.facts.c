/* The tables of the linearity paper, from C: its figure 1 (table 1), figure 5, figure 8, and the statement beside figure 7.
   Variables in memory stay there, so that they have rows; control on integers is none on a variable. */
// RUN: %clang -O0 -Xclang -disable-O0-optnone -g -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='function(mem2reg,loop-simplify),print<backsweep-linearity>' -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: %clang -O1 -g -fno-vectorize -fno-unroll-loops -S -emit-llvm %s -o %t.O1.ll
// RUN: %opt -passes='print<backsweep-linearity>' -disable-output %t.O1.ll 2>&1 | FileCheck --check-prefix=O1 %s

// clang-format off
double sin(double);

// CHECK-LABEL: linearity of @figure1
// CHECK-NEXT:  {{^}} f t a x
// CHECK-NEXT:  {{^}} f linear linear nonlinear nonlinear
// CHECK-NEXT:  {{^}} t ⊤ ⊤ nonlinear nonlinear
// CHECK-NEXT:  {{^}} a ⊤ ⊤ linear nonlinear (degree 2)
// CHECK-NEXT:  {{^}} x ⊤ ⊤ ⊤ ⊤
// CHECK-NEXT:  loop figure1.0 at {{.*}}: carries a, f
// CHECK-NEXT:  plain: nonlinear: f depends on a, t depends on a
// CHECK-NEXT:  use by use: nonlinear: the reverse of %{{[0-9]+}} at {{.*}}:[[@LINE+11]]:10 reads %{{[0-9]+}} at {{.*}}:[[@LINE+11]]:14, made of a of another iteration
// In registers the sum is a value of its own, and the same holds of it.
// O1-LABEL: linearity of @figure1
// O1: loop figure1.0 at
// O1: use by use: nonlinear: the reverse of %{{[0-9]+}} at {{.*}}:[[@LINE+7]]:10 reads %{{[0-9]+}}
void figure1(double *restrict f, double *restrict t, double *restrict a, double *restrict x, int n) {
  *a = 0.0;
  *f = 0.0;
  for (int i = 0; i < n; i++) {
    *a += x[i] * x[i];
    // The sine reads the sum.
    *t = sin(*a);
    *f += *t;
  }
}

double a, b, d, f, u, x;
int flag;

// CHECK-LABEL: linearity of @figure5
// CHECK-NEXT:  {{^}} a b d f u x
// CHECK-NEXT:  {{^}} a ⊤ linear ⊤ ⊤ ⊤ ⊤
// CHECK-NEXT:  {{^}} b ⊤ ⊤ ⊤ ⊤ ⊤ ⊤
// CHECK-NEXT:  {{^}} d nonlinear nonlinear ⊤ ⊤ ⊤ ⊤
// CHECK-NEXT:  {{^}} f ⊤ ⊤ ⊤ ⊤ nonlinear nonlinear
// CHECK-NEXT:  {{^}} u ⊤ ⊤ ⊤ ⊤ nonlinear nonlinear
// CHECK-NEXT:  {{^}} x ⊤ ⊤ ⊤ ⊤ ⊤ ⊤
void figure5(void) {
  if (flag) {
    a = b;
    d = sin(a);
    u = x;
  } else {
    a = b + 1;
    for (int i = 0; i < 10; i++) u = u * x;
  }
  f = u;
}

// The product reads this iteration's element, the sum that of the one before.
// CHECK-LABEL: linearity of @figure8
// CHECK:       loop figure8.0 at {{.*}}: carries b
// CHECK-NEXT:  plain: nonlinear: c depends on b
// CHECK-NEXT:  use by use: linear{{$}}
// O1-LABEL: linearity of @figure8
// O1: use by use: linear{{$}}
void figure8(double *restrict x, double *restrict b, double *restrict c, int n) {
  for (int i = 1; i < n; i++) {
    b[i] = 3 * x[i];
    c[i] = b[i - 1] + b[i] * x[i];
  }
}

// CHECK-LABEL: linearity of @other8
// CHECK:       use by use: nonlinear: {{.*}} made of b of another iteration
// O1-LABEL: linearity of @other8
// O1: use by use: nonlinear:
void other8(double *restrict x, double *restrict b, double *restrict c, int n) {
  for (int i = 1; i < n; i++) {
    b[i] = 3 * x[i];
    c[i] = b[i - 1] * x[i] + b[i];
  }
}

// CHECK-LABEL: linearity of @statement
// CHECK-NEXT:  {{^}} z y w v
// CHECK-NEXT:  {{^}} result linear nonlinear (rational 4/2) nonlinear (rational 4/2) ⊤
double statement(double z, double y, double w, double v) {
  return 3 * z + y * y + w / (y * y);
}
