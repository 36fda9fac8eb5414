/* A tape that the caller keeps in a struct of its size is passed as an integer is. */
// RUN: %clang -O0 %pass %s -o %t %runtime && %t
// RUN: %clang -O2 -S -emit-llvm %s -o %t.ll && %opt -passes=backsweep %t.ll -o %t.bc && %clang %t.bc -o %t %runtime && %t
struct tape { char bytes[8]; };
struct taped { struct tape tape; double value; };
extern int enzyme_allocated;
struct taped __enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

static double power(double x, int n)
{
    double y = 1;
    for (int i = 0; i < n; i++) y = y * x + 1;
    return y;
}

int main(void)
{
    struct taped kept = __enzyme_augmentfwd((void *)power, enzyme_allocated, sizeof(struct tape), 2.0, 3);
    if (kept.value != 15) return 1;
    return __enzyme_reverse((void *)power, enzyme_allocated, sizeof(struct tape), 2.0, 3, 1.0, kept.tape) != 3 * 4 + 2 * 2 + 1;
}
