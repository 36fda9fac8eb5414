double rosenbrock(double x, double y)
{
    double a = 1.0 - x;
    double b = y - x * x;
    return a * a + 100.0 * b * b;
}

struct pair {
    double x, y;
};

static double unused(double x) { return x; }
void store(double x, double *y) { *y = x; }
double by_struct(struct pair s) { return s.x; }
double parity(int n) { return n % 2; }
double stopped(double x, int n)
{
    if (n > 0)
        __builtin_trap();
    return x;
}

/* A file may have a main of its own; the driver's takes its place. */
int main(void) { return 3; }
