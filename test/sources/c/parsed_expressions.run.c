// RUN: %levels %s double 0.9 1.1 0.7 1.3 0.4
// A parser of expressions whose nodes lie in an arena and hold a number, a variable or others; the values are copied as an array.
#include "source.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct arena { char *base; size_t used, cap; struct arena *next; } arena;
static void *arena_alloc(arena *a, size_t n)
{
    n = (n + 15) & ~(size_t)15;
    while (a->used + n > a->cap) {
        if (!a->next) {
            a->next = calloc(1, sizeof *a);
            a->next->cap = a->cap * 2 > n ? a->cap * 2 : n;
            a->next->base = malloc(a->next->cap);
        }
        a = a->next;
    }
    void *p = a->base + a->used;
    a->used += n;
    return p;
}
enum kind { NUM, VAR, BIN, CALL };
typedef struct node {
    enum kind kind;
    union {
        double num;
        int var;
        struct { char op; struct node *l, *r; } bin;
        struct { double (*fn)(double); struct node *arg; } call;
    } u;
} node;
typedef struct { const char *p; arena *a; } parser;
static node *expr(parser *p);
static node *mk(parser *p, enum kind k) { node *n = arena_alloc(p->a, sizeof *n); n->kind = k; return n; }
static void ws(parser *p) { while (isspace((unsigned char)*p->p)) p->p++; }
static node *atom(parser *p)
{
    ws(p);
    if (isdigit((unsigned char)*p->p)) { char *e; node *n = mk(p, NUM); n->u.num = strtod(p->p, &e); p->p = e; return n; }
    if (*p->p == '(') { p->p++; node *n = expr(p); ws(p); p->p++; return n; }
    if (*p->p >= 'a' && *p->p <= 'e' && !isalpha((unsigned char)p->p[1])) { node *n = mk(p, VAR); n->u.var = *p->p++ - 'a'; return n; }
    static const struct { const char *name; double (*fn)(double); } table[] = {{"sin", sin}, {"exp", exp}, {"log", log}, {"sqrt", sqrt}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t l = strlen(table[i].name);
        if (strncmp(p->p, table[i].name, l) == 0) { p->p += l; node *n = mk(p, CALL); n->u.call.fn = table[i].fn; n->u.call.arg = atom(p); return n; }
    }
    return NULL;
}
static node *binary(parser *p, char op, node *l, node *r) { node *n = mk(p, BIN); n->u.bin.op = op; n->u.bin.l = l; n->u.bin.r = r; return n; }
static node *term(parser *p)
{
    node *n = atom(p);
    for (ws(p); *p->p == '*' || *p->p == '/' || *p->p == '^'; ws(p)) { char op = *p->p++; n = binary(p, op, n, atom(p)); }
    return n;
}
static node *expr(parser *p)
{
    node *n = term(p);
    for (ws(p); *p->p == '+' || *p->p == '-'; ws(p)) { char op = *p->p++; n = binary(p, op, n, term(p)); }
    return n;
}
static double eval(const node *n, const double *v)
{
    switch (n->kind) {
    case NUM: return n->u.num;
    case VAR: return v[n->u.var];
    case CALL: return n->u.call.fn(eval(n->u.call.arg, v));
    case BIN: {
        double l = eval(n->u.bin.l, v), r = eval(n->u.bin.r, v);
        switch (n->u.bin.op) { case '+': return l + r; case '-': return l - r; case '*': return l * r; case '/': return l / r; default: return pow(l, r); }
    }
    }
    return NAN;
}
static double f(const double *x, int n)
{
    arena a = {malloc(256), 0, 256, NULL};
    double s = 0;
    const char *src[] = {"a*b + sin(c)*2", "exp(a - b)/(1 + d^2)", "sqrt(a*a + b*b + e) * log(3 + c*d)", "a + b*(c - d*(e + a))^2"};
    double vars[5];
    for (int k = 0; k < 4; k++) {
        parser p = {src[k], &a};
        node *e = expr(&p);
        memcpy(vars, x, sizeof vars);
        for (int i = 0; i < 3; i++) {
            double r = eval(e, vars);
            vars[i] = 0.5 * vars[i] + 0.1 * r;
            s += r * (k + 1);
        }
    }
    free(a.base);
    for (arena *q = a.next; q;) { arena *t = q->next; free(q->base); free(q); q = t; }
    return s;
}
REQUESTS(f)
