/* The checks for one kind of float, KIND, with its SINE and COSINE. Included once for each. */
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define NAME(a) JOIN(a##_, KIND)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)
#define EXPECT(found, expected)                                                                                    \
    expect(TEXT(KIND), __LINE__, (found), (expected), sizeof(KIND) == 4 ? 4e-6L : sizeof(KIND) == 8 ? 1e-14L : 1e-17L)

static KIND NAME(f)(KIND x, int n, KIND y)
{
    KIND sum = 0;
    for (int i = 0; i < n; i++)
        sum += i % 2 ? x * x * y : SINE(x);
    return sum;
}

struct NAME(one) { KIND v[1]; };
struct NAME(two) { KIND v[2]; };
struct NAME(three) { KIND v[3]; };
struct NAME(four) { KIND v[4]; };
struct NAME(five) { KIND v[5]; };
struct NAME(six) { KIND v[6]; };
struct NAME(seven) { KIND v[7]; };
struct NAME(eight) { KIND v[8]; };
struct NAME(kept) { void *tape; KIND value; };

KIND JOIN(__backsweep_gradient_1, KIND)(void *, ...);
struct NAME(two) JOIN(__backsweep_gradient_2, KIND)(void *, ...);
struct NAME(three) JOIN(__backsweep_gradient_3, KIND)(void *, ...);
struct NAME(four) JOIN(__backsweep_gradient_4, KIND)(void *, ...);
struct NAME(five) JOIN(__backsweep_gradient_5, KIND)(void *, ...);
struct NAME(six) JOIN(__backsweep_gradient_6, KIND)(void *, ...);
struct NAME(eight) JOIN(__backsweep_gradient_8, KIND)(void *, ...);
KIND JOIN(__backsweep_tangent_1, KIND)(void *, ...);
struct NAME(two) JOIN(__backsweep_tangent_2, KIND)(void *, ...);
struct NAME(three) JOIN(__backsweep_tangent_3, KIND)(void *, ...);
struct NAME(four) JOIN(__backsweep_tangent_4, KIND)(void *, ...);
struct NAME(five) JOIN(__backsweep_tangent_5, KIND)(void *, ...);
struct NAME(kept) JOIN(__backsweep_augmented_k, KIND)(void *, ...);
KIND JOIN(__backsweep_reverse_1, KIND)(void *, ...);
struct NAME(two) JOIN(__backsweep_reverse_2, KIND)(void *, ...);
struct NAME(four) JOIN(__backsweep_reverse_4, KIND)(void *, ...);
struct NAME(six) JOIN(__backsweep_reverse_6, KIND)(void *, ...);

#define GRADIENT(count) JOIN(__backsweep_gradient_##count, KIND)
#define TANGENT(count) JOIN(__backsweep_tangent_##count, KIND)
#define REVERSE(count) JOIN(__backsweep_reverse_##count, KIND)
#define AUGMENTED JOIN(__backsweep_augmented_k, KIND)
#define F (void *)NAME(f)

static void NAME(check)(void)
{
    volatile KIND at_x = (KIND)1.25, at_y = (KIND)-2.5;
    volatile int at_n = 5;
    KIND x = at_x, y = at_y, zero = 0, one = 1, s = (KIND)1.5, t = -2;
    int n = at_n;
    KIND value = NAME(f)(x, n, y), fx = 2 * 2 * x * y + 3 * COSINE(x), fy = 2 * x * x;

    /* Gradient: width 1. */
    struct NAME(two) g2 = GRADIENT(2)(F, x, n, y);
    EXPECT(g2.v[0], fx), EXPECT(g2.v[1], fy);
    g2 = GRADIENT(2)(F, bs_seed, s, x, n, y);
    EXPECT(g2.v[0], s * fx), EXPECT(g2.v[1], s * fy);
    struct NAME(three) g3 = GRADIENT(3)(F, bs_primal_return, x, n, y);
    EXPECT(g3.v[0], value), EXPECT(g3.v[1], fx), EXPECT(g3.v[2], fy);
    g3 = GRADIENT(3)(F, bs_primal_return, x, n, bs_seed, s, y);
    EXPECT(g3.v[0], value), EXPECT(g3.v[1], s * fx), EXPECT(g3.v[2], s * fy);
    EXPECT(GRADIENT(1)(F, bs_const, x, n, y, bs_seed, t), t * fy);
    g2 = GRADIENT(2)(F, bs_out, x, n, bs_const, y, bs_primal_return);
    EXPECT(g2.v[0], value), EXPECT(g2.v[1], fx);

    /* Gradient: wider. Without a seed every direction is the same. */
    struct NAME(four) g4 = GRADIENT(4)(F, bs_width, 2, x, n, y);
    EXPECT(g4.v[0], fx), EXPECT(g4.v[1], fx), EXPECT(g4.v[2], fy), EXPECT(g4.v[3], fy);
    g4 = GRADIENT(4)(F, bs_width, 2, bs_seed, s, t, x, n, y);
    EXPECT(g4.v[0], s * fx), EXPECT(g4.v[1], t * fx), EXPECT(g4.v[2], s * fy), EXPECT(g4.v[3], t * fy);
    struct NAME(five) g5 = GRADIENT(5)(F, bs_primal_return, bs_width, 2, bs_seed, s, t, x, n, y);
    EXPECT(g5.v[0], value), EXPECT(g5.v[1], s * fx), EXPECT(g5.v[2], t * fx), EXPECT(g5.v[3], s * fy), EXPECT(g5.v[4], t * fy);
    struct NAME(six) g6 = GRADIENT(6)(F, bs_width, 3, bs_seed, one, zero, t, x, n, y);
    EXPECT(g6.v[0], fx), EXPECT(g6.v[1], 0), EXPECT(g6.v[2], t * fx), EXPECT(g6.v[3], fy), EXPECT(g6.v[5], t * fy);
    struct NAME(eight) g8 = GRADIENT(8)(F, bs_width, 4, bs_seed, one, zero, t, s, x, n, y);
    EXPECT(g8.v[3], s * fx), EXPECT(g8.v[4], fy), EXPECT(g8.v[6], t * fy), EXPECT(g8.v[7], s * fy);
    g5 = GRADIENT(5)(F, bs_primal_return, bs_width, 4, bs_const, x, n, bs_seed, one, zero, t, s, bs_out, y);
    EXPECT(g5.v[0], value), EXPECT(g5.v[1], fy), EXPECT(g5.v[2], 0), EXPECT(g5.v[3], t * fy), EXPECT(g5.v[4], s * fy);

    /* Tangent. */
    EXPECT(TANGENT(1)(F, x, s, n, y, t), s * fx + t * fy);
    EXPECT(TANGENT(1)(F, bs_const, x, n, bs_dup, y, t), t * fy);
    g2 = TANGENT(2)(F, bs_primal_return, x, s, n, y, t);
    EXPECT(g2.v[0], value), EXPECT(g2.v[1], s * fx + t * fy);
    g2 = TANGENT(2)(F, bs_width, 2, x, one, zero, n, y, zero, one);
    EXPECT(g2.v[0], fx), EXPECT(g2.v[1], fy);
    g3 = TANGENT(3)(F, bs_primal_return, bs_width, 2, x, s, zero, n, y, t, one);
    EXPECT(g3.v[0], value), EXPECT(g3.v[1], s * fx + t * fy), EXPECT(g3.v[2], fy);
    g3 = TANGENT(3)(F, bs_width, 3, x, one, zero, s, n, bs_const, y);
    EXPECT(g3.v[0], fx), EXPECT(g3.v[1], 0), EXPECT(g3.v[2], s * fx);
    g4 = TANGENT(4)(F, bs_width, 4, x, one, zero, s, t, n, y, zero, one, t, s);
    EXPECT(g4.v[0], fx), EXPECT(g4.v[1], fy), EXPECT(g4.v[2], s * fx + t * fy), EXPECT(g4.v[3], t * fx + s * fy);
    g5 = TANGENT(5)(F, bs_width, 4, bs_primal_return, x, one, zero, s, t, n, y, zero, one, t, s);
    EXPECT(g5.v[0], value), EXPECT(g5.v[1], fx), EXPECT(g5.v[4], t * fx + s * fy);

    /* Split, with several tapes alive, consumed in another order than made. */
    struct NAME(kept) first = AUGMENTED(F, x, n, y), second = AUGMENTED(F, y, n + 1, x), third = AUGMENTED(F, bs_const, x, n, y);
    EXPECT(first.value, value), EXPECT(second.value, NAME(f)(y, n + 1, x));
    EXPECT(REVERSE(1)(F, bs_const, x, n, y, s, third.tape), s * fy);
    g2 = REVERSE(2)(F, x, n, y, t, first.tape);
    EXPECT(g2.v[0], t * fx), EXPECT(g2.v[1], t * fy);
    g2 = REVERSE(2)(F, y, n + 1, x, one, second.tape);
    EXPECT(g2.v[0], 3 * 2 * x * y + 3 * COSINE(y)), EXPECT(g2.v[1], 3 * y * y);
    void *bare = __backsweep_augmented(F, bs_width, 2, x, n, y);
    g4 = REVERSE(4)(F, bs_width, 2, x, n, y, s, t, bare);
    EXPECT(g4.v[0], s * fx), EXPECT(g4.v[1], t * fx), EXPECT(g4.v[2], s * fy), EXPECT(g4.v[3], t * fy);
    first = AUGMENTED(F, bs_width, 3, x, n, y);
    g6 = REVERSE(6)(F, bs_width, 3, x, n, y, one, s, t, first.tape);
    EXPECT(first.value, value), EXPECT(g6.v[0], fx), EXPECT(g6.v[2], t * fx), EXPECT(g6.v[4], s * fy);
}

#undef JOIN2
#undef JOIN
#undef NAME
#undef TEXT2
#undef TEXT
#undef EXPECT
#undef GRADIENT
#undef TANGENT
#undef REVERSE
#undef AUGMENTED
#undef F
