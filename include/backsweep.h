/*
 * backsweep.h: asks the Backsweep compiler plugin for derivatives, from C and C++.
 *
 *     double f(double x) { return x * x; }
 *     double g = __backsweep_gradient((void *)f, 3.0);        g is 6
 *
 * None of the names below is ever linked: the plugin replaces each call by generated code and removes
 * the tokens. A linker that reports one of them as undefined says that the plugin was not loaded
 * (clang-22 -fpass-plugin=libbacksweep.so …).
 *
 * HOOKS
 * The first argument is the function, cast to `void *`. Then come its arguments in order, each with
 * what belongs to it: a token before it, a shadow after it. Without a token
 *
 *     a pointer           is bs_dup     followed by its shadow
 *     a float or double   is bs_out     in reverse mode (its derivative is returned)
 *                            bs_dup     in forward mode (followed by its direction)
 *     an integer          is bs_const
 *
 * Reverse mode ADDS INTO shadows. The shadow of an output is its seed, and is zero afterwards.
 *
 * OTHER RETURN TYPES
 * A hook is recognised inside the name, so a suffix of your own declares it with another type:
 *
 *     struct g2 { double x, y; };
 *     struct g2 __backsweep_gradient_g2(void *, ...);
 *     struct g2 g = __backsweep_gradient_g2((void *)f, x, y);
 *
 * One derivative comes back as a scalar, several as a struct in the order of the parameters.
 *
 * SPLIT MODE WITH A RESULT
 * `__backsweep_augmented` returns { tape, primal?, shadow? } with the members that exist. Where there
 * is more than the tape, declare the struct:
 *
 *     struct kept { void *tape; double value; };
 *     struct kept __backsweep_augmented_kept(void *, ...);
 *
 * DERIVATIVES OF YOUR OWN
 * A global whose name begins so lists a function and its derivatives (docs/book/src/how-to/custom-rules.md):
 *
 *     void *__backsweep_rule_reverse_f[] = { f, augmented, reverse };
 *     void *__backsweep_rule_forward_f[] = { f, tangent };
 *
 * Where it is called, `__backsweep_call_inactive((void *)f, x)` is f(x) without a derivative.
 *
 * GLOBALS
 * Values that pass through globals are differentiated. What a global holds when the function is entered is
 * a constant: the derivative with respect to it is not computed, and neither is that of what the function
 * leaves there. Where you want them, declare a shadow; it is then used like that of an argument, and with
 * bs_width N it holds N copies, one behind the other:
 *
 *     double state[3], dstate[3];
 *     void *__backsweep_shadow_state[] = {state, dstate};
 *
 * A global that is also passed as an argument needs one, and the same shadow passed with it; without, the
 * derivative ends the program with a message rather than be wrong. What is stored into a global listed in
 *
 *     void *__backsweep_inactive_mine[] = {&counter, &last_error};
 *
 * or annotated "backsweep_inactive" carries no derivative.
 *
 * EXCEPTIONS
 * What is thrown and caught inside is differentiated along the path taken. An exception may leave a
 * derivative, too, out of a rule of yours as well: destructors run, the tape is as it was before, and what
 * the derivative made is freed. A reverse call that is left by one has freed its tape, as if it had returned;
 * with `bs_nofree` the tape is still yours to free, and no good for another reverse call. Destructors run where
 * the function cleans up after what it calls: behind a function that never throws, nothing is cleaned up
 * when its rule does. An active value inside an exception is refused.
 *
 * C does not convert a function pointer to `void *` in the strictest mode (-Wpedantic warns); every
 * system that LLVM supports does. In C++ write reinterpret_cast<void *>(f).
 */
#ifndef BACKSWEEP_H
#define BACKSWEEP_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reverse mode: runs the function forward and sweeps back through it.
 *
 *     double norm(const double *x, int n);
 *     __backsweep_gradient_void((void *)norm, x, dx, n);      dx += d norm / dx
 */
double __backsweep_gradient(void *function, ...);
float __backsweep_gradient_float(void *function, ...);
void __backsweep_gradient_void(void *function, ...);

/*
 * Forward mode: the derivative of the result in the direction that the shadows give.
 *
 *     double f(double x, double y);
 *     __backsweep_tangent((void *)f, x, 1.0, y, 0.0);         df/dx
 */
double __backsweep_tangent(void *function, ...);
float __backsweep_tangent_float(void *function, ...);
void __backsweep_tangent_void(void *function, ...);

/*
 * Split mode: the first call runs forward and returns a tape, the second sweeps back and frees it.
 * The second takes the same arguments as the first, then the derivative of the returned value where
 * that is an active float, then the tape.
 *
 *     void *tape = __backsweep_augmented((void *)f, bs_out, x);
 *     double dx = __backsweep_reverse((void *)f, bs_out, x, 1.0, tape);
 */
void *__backsweep_augmented(void *function, ...);
double __backsweep_reverse(void *function, ...);
float __backsweep_reverse_float(void *function, ...);
void __backsweep_reverse_void(void *function, ...);

/*
 * TOKENS FOR ONE ARGUMENT stand before it.
 */

/* `bs_dup, x, dx`: x with its shadow; what the function leaves in x is kept. */
extern int bs_dup;

/* `bs_dup_noneed, x, dx`: the same, and nobody reads what the function leaves in x, so that
 * computing it may be left out; what x holds afterwards is not specified. */
extern int bs_dup_noneed;

/* `bs_dup_fresh, x, dx`: the same as bs_dup, and dx is known to hold zeros. Between the sweeps a gradient may keep numbers
 * there that would go on the tape; nobody else may look at dx until it has returned. */
extern int bs_dup_fresh;

/* `bs_out, x`: a float by value; its derivative is part of what the hook returns. */
extern int bs_out;

/* `bs_const, x`: not differentiated, and without a shadow. What x points to may not be reached through an active argument
 * as well: a constant that is written through x would not be seen there. */
extern int bs_const;

/*
 * TOKENS FOR THE CALL stand anywhere among the arguments.
 */

/* `bs_seed, s`: the derivative of the returned value; 1.0 without this token.
 *
 *     __backsweep_gradient((void *)f, bs_seed, 2.0, x)        2 df/dx
 */
extern int bs_seed;

/* `bs_primal_return`: return { value of the function, derivatives… }.
 *
 *     struct both { double value, dx; };
 *     struct both __backsweep_gradient_both(void *, ...);
 *     struct both b = __backsweep_gradient_both((void *)f, bs_primal_return, x);
 */
extern int bs_primal_return;

/* `bs_width, N`: N directions at once. N is a literal, and every shadow is N shadows.
 *
 *     struct two { double along_x, along_y; };
 *     struct two __backsweep_tangent_two(void *, ...);
 *     __backsweep_tangent_two((void *)f, bs_width, 2, x, 1.0, 0.0, y, 0.0, 1.0);
 */
extern int bs_width;

/* `bs_dup_strided, BYTES, x, dx` with bs_width N: the N shadows stand behind one another in memory, BYTES apart, and dx
 * points to the first. bs_dup_noneed_strided is the same for bs_dup_noneed.
 */
extern int bs_dup_strided;
extern int bs_dup_noneed_strided;

/* `f, x, y, bs_interleave, dx, dy`: all values come first, then all shadows in the same order. */
extern int bs_interleave;

/* Split mode, `bs_tape_at, p`: the augmented call leaves its tape at p, instead of returning it, and the reverse call finds
 * it there. It takes the bytes of a pointer.
 */
extern int bs_tape_at;

/* Split mode, `bs_nofree` with a reverse call: the tape is kept, for another reverse call. The last one is without it, or
 * bs_rt_tape_free (backsweep_rt.h) frees the tape.
 */
extern int bs_nofree;

/* HOW CALLS ARE DIFFERENTIATED
 *
 * Functions that are called are inlined, and those that cannot be (recursion, or too large) record as they go. Where a function of a
 * few numbers that has loops would leave four times as much on the tape as its partial derivatives, and that is 64 KiB or more, it is
 * called as with bs_contract; where that would still take 32 MiB of tape or more, by numbers of passes that are known while compiling,
 * and running one of the functions again is cheaper, it is called as with bs_joint. A function may be differentiated in a way of its own:
 *
 *     bs_joint, (void *)f     f runs twice: what it reads is saved when it is called, and when the reverse sweep comes to the
 *                             call it is put back, and the gradient of f alone is run. The tape then holds what the calls read,
 *                             and the records of one call at a time; the price is one more run of f. A time loop around
 *                             f keeps the state of each step, and not what the step computes.
 *     bs_contract, (void *)f  f runs forwards and backwards at once, and its partial derivatives, one number for each active
 *                             argument, are all that is kept of it. f takes up to four active numbers of one type by value, gives
 *                             one of that type, writes to no memory but its own, and does not call itself; what it prints comes
 *                             once. Newton's method that solves an equation in each cell of each step is such an f.
 *     bs_split, (void *)f     f is not inlined, and records as it goes
 *     bs_inline, (void *)f    f is inlined, however large it is
 *
 * for all calls of f under one hook, or of a function wherever it is called
 *
 *     __attribute__((annotate("backsweep_joint"))) void step(double *u, int n);
 *     void *__backsweep_joint_mine[] = {step, (void *)advance};
 *
 * (the same for contract, split and inline). In split mode only the latter, since both halves have to agree. What a joint f reads has
 * to be found where it is called: arrays behind its parameters, whose indices go with its loops, and globals; one that reads or writes
 * anything else, calls what stays a call, or does input or output records as it goes. So does an f that cannot be contracted, and any
 * that should be in split mode; `backsweep explain` tells why. In a module that differentiates a derivative, and where a derivative could not be made otherwise, everything is inlined that can be.
 */
extern int bs_joint;
extern int bs_contract;
extern int bs_split;
extern int bs_inline;

#ifdef __cplusplus
}
#endif

#endif
