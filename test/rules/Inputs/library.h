/* Definitions and checks for one kind of float, KIND. Included once for each; the first is long double, whose functions
 * are the reference of all. */
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define NAME(a) JOIN(a##_, KIND)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

/* X(name, expression of x, two points) for what takes one number. `i` is a whole number that does not vary. */
#ifndef LIST_ONE
#define SIMPLE(X, name, a, b) X(name, SPELL(name)(x), a, b)
#define LIST_ONE(X)                                                                                                \
    SIMPLE(X, sqrt, 0.3, 7) SIMPLE(X, cbrt, -1.7, 5) SIMPLE(X, fabs, -1.7, 5)                                      \
    SIMPLE(X, sin, -1.2, 2) SIMPLE(X, cos, -1.2, 2) SIMPLE(X, tan, -1.2, 0.6)                                      \
    SIMPLE(X, asin, -0.6, 0.3) SIMPLE(X, acos, -0.6, 0.3) SIMPLE(X, atan, -3, 0.4)                                 \
    SIMPLE(X, sinh, -1.2, 2) SIMPLE(X, cosh, -1.2, 2) SIMPLE(X, tanh, -1.2, 0.6)                                   \
    SIMPLE(X, asinh, -1.2, 2) SIMPLE(X, acosh, 1.3, 3) SIMPLE(X, atanh, -0.6, 0.3)                                 \
    SIMPLE(X, exp, -1.2, 2) SIMPLE(X, exp2, -1.2, 2) SIMPLE(X, exp10, -1.2, 0.8) SIMPLE(X, expm1, -1.2, 0.3)       \
    SIMPLE(X, log, 0.3, 7) SIMPLE(X, log2, 0.3, 7) SIMPLE(X, log10, 0.3, 7) SIMPLE(X, log1p, -0.6, 3)              \
    SIMPLE(X, floor, -1.2, 2.6) SIMPLE(X, ceil, -1.2, 2.6) SIMPLE(X, trunc, -1.2, 2.6)                             \
    SIMPLE(X, round, -1.2, 2.6) SIMPLE(X, rint, -1.2, 2.6) SIMPLE(X, nearbyint, -1.2, 2.6)                         \
    SIMPLE(X, roundeven, -1.2, 2.6) SIMPLE(X, logb, -1.2, 2.6)                                                     \
    SIMPLE(X, erf, -0.7, 0.4) SIMPLE(X, erfc, -0.7, 0.4) SIMPLE(X, tgamma, -1.4, 2.6) SIMPLE(X, lgamma, 0.4, 2.6)  \
    SIMPLE(X, j0, 0.7, 3) SIMPLE(X, j1, 0.7, 3) SIMPLE(X, y0, 0.7, 3) SIMPLE(X, y1, 0.7, 3)                        \
    X(jn, SPELL(jn)(i, x), 0.7, 3) X(yn, SPELL(yn)(i, x), 0.7, 3)                                                  \
    X(ldexp, SPELL(ldexp)(x, i), -1.2, 2.6) X(scalbn, SPELL(scalbn)(x, -i), -1.2, 2.6)                             \
    X(scalbln, SPELL(scalbln)(x, i), -1.2, 2.6) X(powi, POWI(x, i), -1.2, 2.6)                                     \
    X(ilogb, x * SPELL(ilogb)(x * x), -1.2, 2.6) X(lround, x * SPELL(lround)(x), -1.2, 2.6)                        \
    X(lrint, x * SPELL(lrint)(x), -1.2, 2.6) X(llround, x * SPELL(llround)(x), -1.2, 2.6)                          \
    X(signbit, signbit(x) ? x * x : x, -1.2, 2.6) X(isnan, isnan(x) ? x : x * x, -1.2, 2.6)
/* The same for two numbers, varied one at a time, with one point each. */
#define SIMPLE2(X, name, a, b) X(name, SPELL(name)(x, y), a, b)
#define LIST_TWO(X)                                                                                                \
    SIMPLE2(X, hypot, 1.2, -0.7) SIMPLE2(X, atan2, 1.2, -0.7) SIMPLE2(X, pow, 1.2, -0.7)                           \
    SIMPLE2(X, copysign, 1.2, -0.7) SIMPLE2(X, fmin, 1.2, -0.7) SIMPLE2(X, fmax, 1.2, -0.7)                        \
    SIMPLE2(X, fdim, 1.2, 0.7) SIMPLE2(X, fmod, 5.3, 1.2) SIMPLE2(X, remainder, 5.3, 1.4)                          \
    SIMPLE2(X, nextafter, 1.2, 3)                                                                                  \
    X(minimum, MINIMUM(x, y), 1.2, 3) X(maximum, MAXIMUM(x, y), 1.2, 3)                          \
    X(fma, SPELL(fma)(x, y, x), 1.2, -0.7) X(fmuladd, x * y + y, 1.2, -0.7) X(negate, -x * -y, 1.2, -0.7)          \
    X(divide, x / y - y / x, 1.2, -0.7) X(choose, x > y ? x * x : y * y, 1.2, -0.7)                                \
    X(convert, (double)x * y, 1.2, -0.7)
#endif

#define DEFINE_ONE(name, expression, a, b)                                                                         \
    static KIND NAME(one_##name)(KIND x, int i) { (void)i; return expression; }
#define DEFINE_TWO(name, expression, a, b)                                                                         \
    static KIND NAME(two_##name)(KIND x, KIND y) { return expression; }
LIST_ONE(DEFINE_ONE)
LIST_TWO(DEFINE_TWO)

/* Results through pointers. */
static KIND NAME(one_frexp)(KIND x, int i) { int e; KIND m = SPELL(frexp)(x, &e); return i * m * x + e; }
static KIND NAME(one_modf)(KIND x, int i) { KIND w; KIND r = SPELL(modf)(x, &w); return i * r * r + w * x; }
static KIND NAME(one_sincos)(KIND x, int i) { KIND s, c; SPELL(sincos)(x, &s, &c); return i * s * c + s; }
static KIND NAME(one_remquo)(KIND x, int i) { int q; KIND r = SPELL(remquo)(x, (KIND)1.1, &q); return i * r * r; }

KIND JOIN(__backsweep_gradient_in_, KIND)(void *, ...);
KIND JOIN(__backsweep_tangent_in_, KIND)(void *, ...);

#define COMPARE(name, found, expected) compare(name, TEXT(KIND), (int)sizeof(KIND), x, y, (found), (expected))
#define CHECK_ONE(name, expression, a, b) CHECK_AT(name, a) CHECK_AT(name, b)
#define CHECK_AT(name, a)                                                                                          \
    x = (KIND)a;                                                                                                   \
    quotient = (one_##name##_extended(x + STEP, i) - one_##name##_extended(x - STEP, i)) / (2 * STEP);             \
    COMPARE(#name " gradient", JOIN(__backsweep_gradient_in_, KIND)((void *)NAME(one_##name), x, i), quotient);    \
    COMPARE(#name " tangent", JOIN(__backsweep_tangent_in_, KIND)((void *)NAME(one_##name), x, (KIND)1, i), quotient);
#define CHECK_TWO(name, expression, a, b)                                                                          \
    x = (KIND)a, y = (KIND)b;                                                                                      \
    quotient = (two_##name##_extended(x + STEP, y) - two_##name##_extended(x - STEP, y)) / (2 * STEP);             \
    COMPARE(#name " gradient 0", JOIN(__backsweep_gradient_in_, KIND)((void *)NAME(two_##name), x, bs_const, y), quotient); \
    COMPARE(#name " tangent 0", JOIN(__backsweep_tangent_in_, KIND)((void *)NAME(two_##name), x, (KIND)1, bs_const, y), quotient); \
    quotient = (two_##name##_extended(x, y + STEP) - two_##name##_extended(x, y - STEP)) / (2 * STEP);             \
    COMPARE(#name " gradient 1", JOIN(__backsweep_gradient_in_, KIND)((void *)NAME(two_##name), bs_const, x, y), quotient); \
    COMPARE(#name " tangent 1", JOIN(__backsweep_tangent_in_, KIND)((void *)NAME(two_##name), bs_const, x, y, (KIND)1), quotient);

static void NAME(check)(void)
{
    volatile int three = 3;
    int i = three;
    volatile KIND x, y = 0;
    long double quotient;
    LIST_ONE(CHECK_ONE)
    CHECK_AT(frexp, -1.2) CHECK_AT(frexp, 2.6) CHECK_AT(modf, -1.2) CHECK_AT(modf, 2.6)
    CHECK_AT(sincos, -1.2) CHECK_AT(sincos, 2.6) CHECK_AT(remquo, -1.2) CHECK_AT(remquo, 2.6)
    LIST_TWO(CHECK_TWO)
}

#undef JOIN2
#undef JOIN
#undef NAME
#undef TEXT2
#undef TEXT
#undef DEFINE_ONE
#undef DEFINE_TWO
#undef COMPARE
#undef CHECK_ONE
#undef CHECK_AT
#undef CHECK_TWO
