// RUN: %levels %s double 0.8 1.3 -0.4 2.1
// Instructions of an interpreter that carry a number or the place of another one, exchanged as a whole.
#include "source.h"
#include <math.h>
enum op { PUSH, ADD, MUL, SIN, JNEG };
typedef struct { enum op op; union { double value; int target; } u; } instr;
static double run(const instr *code, int len) {
    double stack[16]; int sp = 0;
    for (int pc = 0; pc < len; pc++) {
        const instr *i = &code[pc];
        switch (i->op) {
        case PUSH: stack[sp++] = i->u.value; break;
        case ADD: sp--; stack[sp - 1] += stack[sp]; break;
        case MUL: sp--; stack[sp - 1] *= stack[sp]; break;
        case SIN: stack[sp - 1] = sin(stack[sp - 1]); break;
        case JNEG: if (stack[sp - 1] < 0) pc = i->u.target; break;
        }
    }
    return stack[sp - 1];
}
static double f(const double *x, int n)
{
    instr code[7];
    code[0] = (instr){PUSH, {.value = x[0]}};
    code[1] = (instr){PUSH, {.value = x[1] * x[2]}};
    code[2] = (instr){ADD, {0}};
    code[3] = (instr){JNEG, {.target = 4}};
    code[4] = (instr){SIN, {0}};
    code[5] = (instr){PUSH, {.value = x[3]}};
    code[6] = (instr){MUL, {0}};
    instr t = code[4]; code[4] = code[2]; code[2] = t;
    t = code[4]; code[4] = code[2]; code[2] = t;
    return run(code, 7);
}
REQUESTS(f)
