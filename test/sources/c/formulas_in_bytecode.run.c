// RUN: %levels %s double 0.8 1.3 0.4 0.7
// Formulas that are parsed by recursion into bytecode, which grows by realloc in functions that compute no numbers and in those that
// do, beside constants in one struct; and a stack machine that runs it.
#include "source.h"
#include <math.h>
#include <stdlib.h>

enum { NUMBER, VARIABLE, ADD, MULTIPLY, NEGATE, CALL, STORE };

typedef struct {
    unsigned char *code;
    size_t length, room;
    double constants[16];
    int count;
} program;

typedef struct {
    const char *text;
    program *program;
    int failed;
} parser;

static const struct {
    char name;
    double (*of)(double);
} functions[] = {{'S', sin}, {'E', exp}, {'T', tanh}};

static void emit(program *p, int byte)
{
    if (p->length == p->room) {
        size_t room = p->room ? p->room + p->room / 2 : 4;
        p->code = realloc(p->code, room);
        p->room = room;
    }
    p->code[p->length++] = (unsigned char)byte;
}

static void sum(parser *q);

static void factor(parser *q)
{
    char c = *q->text++;
    if (c == '(') {
        sum(q);
        q->failed |= *q->text++ != ')';
    } else if (c == '-') {
        factor(q);
        emit(q->program, NEGATE);
    } else if (c >= 'a' && c <= 'z') {
        emit(q->program, VARIABLE);
        emit(q->program, c - 'a');
    } else if (c >= 'A' && c <= 'Z') {
        factor(q);
        emit(q->program, CALL);
        for (int i = 0; i < 3; i++)
            if (functions[i].name == c)
                emit(q->program, i);
    } else {
        char *end;
        q->program->constants[q->program->count] = strtod(q->text - 1, &end);
        q->failed |= end == q->text - 1;
        q->text = end;
        emit(q->program, NUMBER);
        emit(q->program, q->program->count++);
    }
}

static void product(parser *q)
{
    for (factor(q); *q->text == '*'; emit(q->program, MULTIPLY)) {
        q->text++;
        factor(q);
    }
}

static void sum(parser *q)
{
    for (product(q); *q->text == '+'; emit(q->program, ADD)) {
        q->text++;
        product(q);
    }
}

static double run(const program *p, double *variables)
{
    double stack[16];
    int top = 0;
    for (size_t at = 0; at < p->length;)
        switch (p->code[at++]) {
        case NUMBER: stack[top++] = p->constants[p->code[at++]]; break;
        case VARIABLE: stack[top++] = variables[p->code[at++]]; break;
        case ADD: top--, stack[top - 1] += stack[top]; break;
        case MULTIPLY: top--, stack[top - 1] *= stack[top]; break;
        case NEGATE: stack[top - 1] = -stack[top - 1]; break;
        case CALL: stack[top - 1] = functions[p->code[at++]].of(stack[top - 1]); break;
        case STORE: variables[p->code[at++]] = stack[top - 1]; break;
        default: return NAN;
        }
    return stack[0];
}

static double f(const double *x, int n)
{
    static const char *const texts[] = {"a*S(b+2*c)+-d*c", "E(-(b*a))+T(c*3)", "(e+d)*(e+-f)+2.5*T(f)"};
    double variables[26] = {0}, y = 0;
    for (int i = 0; i < n; i++)
        variables[i] = x[i];
    for (int k = 0; k < 3; k++) {
        program p = {0};
        parser q = {texts[k], &p, 0};
        sum(&q);
        if (q.failed || *q.text) {
            free(p.code);
            return NAN;
        }
        emit(&p, STORE);
        emit(&p, n + k);
        for (int times = 0; times < 3; times++) {
            double value = run(&p, variables);
            variables[0] += 0.1 * value;
            y += (k + 1) * value;
        }
        free(p.code);
    }
    return y;
}
REQUESTS(f)
